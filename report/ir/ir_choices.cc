// Values by conditions that are the same for all work items, and products of 24 bits.
#include "report/ir/ir_formulas.h"
#include "report/ir/ir_places.h"

namespace gpusan {
namespace {

// Where the bits of the truth of a condition do not matter.
constexpr uint32_t kTruthBits = 32;

std::optional<IrFormula> Negated(std::optional<IrFormula> truth) {
  if (!truth) return std::nullopt;
  const std::optional<SummaryFormula> value = Add(ConstantFormula(1), truth->value, -1);
  if (!value) return std::nullopt;
  truth->value = *value;
  return truth;
}

}  // namespace

SummaryFormula IrFormulas::Shortened(const SummaryFormula& formula) {
  SummaryFormula result;
  for (SummaryTerm term : formula) {
    SummaryTerm uniform, others;
    uniform.factor = 1;
    others.factor = term.factor;
    int uniform_count = 0, others_count = 0;
    for (const uint16_t symbol : term.symbols) {
      if (symbol == kNoSymbol) continue;
      if (IsUniform(SymbolFormula(symbol))) {
        uniform.symbols[uniform_count++] = symbol;
      } else {
        others.symbols[others_count++] = symbol;
      }
    }
    SummaryFormula shortened = {term};
    if (uniform_count > 1) {
      IrFormula product, one;
      product.value = {uniform};
      one.value = ConstantFormula(1);
      const auto derived = Derive(DerivedNumber::Kind::kQuotient, true, product, one);
      const auto both = derived ? Multiply({others}, derived->value) : std::nullopt;
      if (both) shortened = *both;
    }
    const std::optional<SummaryFormula> sum = Add(result, shortened, 1);
    if (!sum) return formula;
    result = *sum;
  }
  return result;
}

std::optional<SummaryFormula> IrFormulas::Product(const SummaryFormula& a,
                                                  const SummaryFormula& b) {
  const std::optional<SummaryFormula> product = Multiply(a, b);
  return product ? product : Multiply(Shortened(a), Shortened(b));
}

std::optional<IrFormula> IrFormulas::ShortProduct(const IrInstruction& call, uint32_t bits) {
  const IntegerCall integers = IntegerCallOf(call);
  const std::string_view name = integers.function;
  const bool adds = name == "@_Z5mad24iii" || name == "@_Z5mad24jjj";
  if ((!adds && name != "@_Z5mul24ii" && name != "@_Z5mul24jj") || integers.bits != bits ||
      integers.operands.size() != (adds ? 3U : 2U))
    return std::nullopt;
  const std::optional<IrFormula> left = Of(integers.operands[0], bits);
  const std::optional<IrFormula> right = Of(integers.operands[1], bits);
  if (!left || !right) return std::nullopt;
  std::optional<SummaryFormula> value = Product(left->value, right->value);
  IrFormula result;
  result.bits = bits;
  for (const IrFormula* factor : {&*left, &*right}) {
    Append(factor->fits, &result.fits);
    result.fits.push_back({factor->value, 24, name.ends_with("i")});
  }
  if (adds && value) {
    const std::optional<IrFormula> third = Of(integers.operands[2], bits);
    if (!third) return std::nullopt;
    Append(third->fits, &result.fits);
    value = Add(*value, third->value, 1);
  }
  if (!value) return std::nullopt;
  result.value = Canonical(*value);
  return result;
}

std::optional<IrFormula> IrFormulas::Field(const IrInstruction& instruction, uint32_t bits) {
  IrCursor cursor(instruction.rest);
  const IrType* type = module_.Type(cursor);
  std::string_view value;
  std::optional<int64_t> at;  // [bytes]
  if (instruction.op == "extractelement") {
    // extractelement <2 x i32> %size, i64 1
    value = cursor.Value();
    if (!cursor.Take(",") || type->kind != IrType::Kind::kVector || type->elements.empty())
      return std::nullopt;
    type = type->elements[0];
    module_.Type(cursor);
    at = cursor.Number() * (bits / 8);
  } else {
    // load i32, i32* %field, with %field = getelementptr %struct.S, %struct.S* %s, i64 0, i32 1
    if (!cursor.Take(",")) return std::nullopt;
    module_.Type(cursor);
    IrPlaces places(module_, function_, *this);
    const std::optional<IrPlaces::Place> place = places.Of(cursor.Value());
    if (!place || place->parameter >= function_.parameters.size()) return std::nullopt;
    value = function_.parameters[place->parameter].name;
    at = ConstantOf(place->offset.value);
  }
  const auto parameter = parameters_.find(value);
  if (cursor.failed() || !at || *at < 0 || *at > kMaxFieldEnd - bits / 8 ||
      type->kind != IrType::Kind::kInteger || type->bits != bits ||
      parameter == parameters_.end() || parameter->second > 1000)
    return std::nullopt;
  const IrParameter& declared = function_.parameters[parameter->second];
  if (instruction.op == "load" && (declared.attributes.find("byval") == std::string_view::npos ||
                                   declared.attributes.find("readonly") == std::string_view::npos))
    return std::nullopt;
  IrFormula whole, offset;
  whole.bits = bits;
  whole.value = SymbolFormula(kArgument + static_cast<int>(parameter->second));
  offset.value = ConstantFormula(*at);
  return Derive(DerivedNumber::Kind::kField, true, whole, offset);
}

std::optional<IrFormula> IrFormulas::TruthOf(const IrInstruction& compare) {
  using Kind = DerivedNumber::Kind;
  IrCursor cursor(compare.rest);
  cursor.Take("samesign");
  const std::string_view predicate = cursor.Word();
  const IrType* type = module_.Type(cursor);
  const std::string_view first = cursor.Value();
  if (!cursor.Take(",")) return std::nullopt;
  const std::string_view second = cursor.Value();
  if (cursor.failed() || type->kind != IrType::Kind::kInteger) return std::nullopt;
  const std::optional<IrFormula> left = Of(first, type->bits), right = Of(second, type->bits);
  if (!left || !right) return std::nullopt;
  const auto below = [&](const IrFormula& less, const IrFormula& more) {
    return Derive(Kind::kBelow, predicate[0] == 's', less, more);
  };
  if (predicate == "eq") return Derive(Kind::kEqual, true, *left, *right);
  if (predicate == "ne") return Negated(Derive(Kind::kEqual, true, *left, *right));
  if (predicate.ends_with("lt")) return below(*left, *right);
  if (predicate.ends_with("gt")) return below(*right, *left);
  if (predicate.ends_with("le")) return Negated(below(*right, *left));
  if (predicate.ends_with("ge")) return Negated(below(*left, *right));
  return std::nullopt;
}

std::optional<IrFormula> IrFormulas::Truth(std::string_view value, int depth) {
  constexpr int kMaxDepth = 8;
  value = Assumed(value);
  if (value == "true" || value == "false") {
    IrFormula constant;
    constant.bits = kTruthBits;
    constant.value = ConstantFormula(value == "true" ? 1 : 0);
    return constant;
  }
  const IrInstruction* definition = Definition(value);
  if (definition == nullptr || depth > kMaxDepth) return std::nullopt;
  const std::string_view op = definition->op;
  std::optional<IrFormula> truth;
  if (op == "icmp") {
    truth = TruthOf(*definition);
    if (truth) truth->bits = kTruthBits;
    return truth;
  }
  IrCursor cursor(definition->rest);
  cursor.Take("disjoint");
  const IrType* type = module_.Type(cursor);
  const std::string_view first = cursor.Value();
  if (type->bits != 1 || cursor.failed()) return std::nullopt;
  if (op == "freeze") return Truth(first, depth + 1);
  if (!cursor.Take(",") || (op != "and" && op != "or" && op != "xor" && op != "select"))
    return std::nullopt;
  if (op == "select") module_.Type(cursor);
  const std::string_view second = cursor.Value();
  if (op == "xor") return second == "true" ? Negated(Truth(first, depth + 1)) : std::nullopt;
  std::string_view third = second;
  bool both = op == "and";
  if (op == "select") {
    // `select c, x, false` is c and x; `select c, true, x` is c or x.
    if (!cursor.Take(",")) return std::nullopt;
    module_.Type(cursor);
    const std::string_view otherwise = cursor.Value();
    if (cursor.failed() || (otherwise != "false" && second != "true")) return std::nullopt;
    both = otherwise == "false";
    third = both ? second : otherwise;
  }
  const std::optional<IrFormula> left = Truth(first, depth + 1), right = Truth(third, depth + 1);
  if (!left || !right) return std::nullopt;
  return Derive(both ? DerivedNumber::Kind::kMinimum : DerivedNumber::Kind::kMaximum, true, *left,
                *right);
}

std::optional<IrFormula> IrFormulas::Select(const IrInstruction& select, uint32_t bits) {
  IrCursor cursor(select.rest);
  cursor.SkipAttributes();
  const IrType* type = module_.Type(cursor);
  const std::string_view condition = cursor.Value();
  if (type->bits != 1 || !cursor.Take(",") || module_.Type(cursor)->bits != bits)
    return std::nullopt;
  const std::string_view yes = cursor.Value();
  if (!cursor.Take(",")) return std::nullopt;
  module_.Type(cursor);
  const std::string_view no = cursor.Value();
  if (cursor.failed()) return std::nullopt;
  const std::optional<IrFormula> first = Of(yes, bits), second = Of(no, bits);
  if (!first || !second || !IsUniform(first->value) || !IsUniform(second->value))
    return std::nullopt;
  std::optional<IrFormula> chosen = Truth(condition);
  std::optional<IrFormula> other = Negated(chosen);
  if (!chosen || !other) return std::nullopt;
  chosen->bits = other->bits = bits;
  chosen = Derive(DerivedNumber::Kind::kWhen, true, *chosen, *first);
  other = Derive(DerivedNumber::Kind::kWhen, true, *other, *second);
  if (!chosen || !other) return std::nullopt;
  const std::optional<SummaryFormula> sum = Add(chosen->value, other->value, 1);
  if (!sum) return std::nullopt;
  Append(other->fits, &chosen->fits);
  chosen->value = *sum;
  return chosen;
}

}  // namespace gpusan
