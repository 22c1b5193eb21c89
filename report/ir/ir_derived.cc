// Numbers that a kernel derives from numbers of the launch by divisions, shifts and masks.
#include <algorithm>
#include <cstdint>

#include "report/ir/ir_builtins.h"
#include "report/ir/ir_formulas.h"

namespace gpusan {
namespace {

constexpr size_t kMaxDerived = 32;

// Whether `multiple` is `formula` times a positive constant. True for equal formulas.
bool IsMultiple(const SummaryFormula& multiple, const SummaryFormula& formula) {
  if (formula.empty() || multiple.empty()) return formula.empty() && multiple.empty();
  for (const SummaryTerm& term : multiple) {
    if (!std::equal(std::begin(term.symbols), std::end(term.symbols), formula[0].symbols)) continue;
    if (term.factor == INT64_MIN) return false;
    const int64_t factor = term.factor / formula[0].factor;
    if (factor <= 0) return false;
    const std::optional<SummaryFormula> rest = Add(multiple, formula, -factor);
    return rest && rest->empty();
  }
  return false;
}

}  // namespace

bool IsUniform(const SummaryFormula& formula) {
  return std::all_of(formula.begin(), formula.end(), [](const SummaryTerm& term) {
    return std::all_of(std::begin(term.symbols), std::end(term.symbols), [](uint16_t symbol) {
      return symbol == kNoSymbol || (symbol >= kGlobalSize && symbol < kLoop) ||
             (symbol >= kArgument && symbol < kPartOfFunction);
    });
  });
}

std::optional<IrFormula> IrFormulas::Division(const IrInstruction& instruction, uint32_t bits) {
  IrCursor cursor(instruction.rest);
  const std::string_view op = instruction.op;
  cursor.Take("exact");
  const auto operands = Operands(&cursor, bits);
  if (!operands) return std::nullopt;
  const bool divides = op.ends_with("div"), is_signed = op[0] == 's';
  const auto& [left, right] = *operands;
  if (const auto derived =
          Derive(divides ? DerivedNumber::Kind::kQuotient : DerivedNumber::Kind::kRemainder,
                 is_signed, left, right))
    return derived;
  return DerivePart(divides ? SummaryPart::Kind::kQuotient : SummaryPart::Kind::kRemainder,
                    is_signed, left, right);
}

std::optional<IrFormula> IrFormulas::ExclusiveOr(const IrInstruction& instruction, uint32_t bits) {
  IrCursor cursor(instruction.rest);
  auto operands = Operands(&cursor, bits);
  if (!operands) return std::nullopt;
  auto& [left, right] = *operands;
  if (const std::optional<int64_t> number = ConstantOf(right.value); number && *number == -1) {
    // The complement of x is -1 - x.
    const std::optional<SummaryFormula> complement = Add(right.value, left.value, -1);
    if (!complement) return std::nullopt;
    left.value = *complement;
    return left;
  }
  if (const auto derived = Derive(DerivedNumber::Kind::kEither, true, left, right)) return derived;
  if (IsUniform(left.value)) std::swap(left, right);
  return DerivePart(SummaryPart::Kind::kXor, false, left, right);
}

std::optional<IrFormula> IrFormulas::Masked(const IrFormula& value, const IrFormula& mask) {
  if (const auto both = Derive(DerivedNumber::Kind::kBoth, true, value, mask)) return both;
  if (IsUniform(value.value)) return IsUniform(mask.value) ? std::nullopt : Masked(mask, value);
  IrFormula unit = mask;
  const std::optional<int64_t> number = ConstantOf(mask.value);
  if (number && *number < 0) {
    // Without the low bits.
    const int64_t low = *number & -*number;
    if (low != -*number) return std::nullopt;
    unit.value = ConstantFormula(low);
  } else {
    const std::optional<SummaryFormula> next = Add(mask.value, ConstantFormula(1), 1);
    if (!next) return std::nullopt;
    unit.value = *next;
    if (!number && !IsPowerOfTwo(unit.value)) {
      const auto power = Derive(DerivedNumber::Kind::kPowerOfTwo, true, unit, {{}, {}, mask.bits});
      if (!power) return std::nullopt;
      unit = *power;
    } else if (number && (*number & (*number + 1)) != 0) {
      return std::nullopt;
    }
  }
  std::optional<IrFormula> low = DerivePart(SummaryPart::Kind::kRemainder, false, value, unit);
  if (!low || !number || *number >= 0) return low;
  const std::optional<SummaryFormula> high = Add(value.value, low->value, -1);
  if (!high) return std::nullopt;
  low->value = Canonical(*high);
  return low;
}

std::optional<IrFormula> IrFormulas::Shifted(std::string_view op, const IrFormula& value,
                                             const IrFormula& distance) {
  if (op == "shl") {
    if (const auto derived = Derive(DerivedNumber::Kind::kShifted, true, value, distance))
      return derived;
  }
  IrFormula one = distance;
  one.value = ConstantFormula(1);
  std::optional<IrFormula> power = Derive(DerivedNumber::Kind::kShifted, true, one, distance);
  if (!power) return std::nullopt;
  if (op == "shl") {
    const std::optional<SummaryFormula> product = Multiply(value.value, power->value);
    if (!product) return std::nullopt;
    Append(value.fits, &power->fits);
    power->value = Canonical(*product);
    return power;
  }
  const bool is_signed = op == "ashr";
  if (const auto derived =
          Derive(is_signed ? DerivedNumber::Kind::kFloor : DerivedNumber::Kind::kQuotient,
                 is_signed, value, *power))
    return derived;
  return DerivePart(SummaryPart::Kind::kQuotient, is_signed, value, *power);
}

bool IrFormulas::IsPowerOfTwo(const SummaryFormula& value) const {
  if (value.size() != 1 || value[0].factor != 1 || value[0].symbols[1] != kNoSymbol) return false;
  const size_t index =
      static_cast<size_t>(value[0].symbols[0]) - kArgument - function_.parameters.size();
  if (index >= derived_.size() || derived_[index].kind != DerivedNumber::Kind::kShifted)
    return false;
  return ConstantOf(derived_[index].left) == std::optional<int64_t>(1);
}

IrFormulas::IntegerCall IrFormulas::IntegerCallOf(const IrInstruction& call) {
  IntegerCall result;
  IrCursor cursor(call.rest);
  cursor.SkipAttributes();
  module_.Type(cursor);
  const std::string_view function = cursor.Value();
  if (call.op != "call" || function.empty() || function[0] != '@' || !cursor.Take("(")) return {};
  while (!cursor.Take(")")) {
    if (!result.operands.empty() && !cursor.Take(",")) return {};
    const IrType* type = module_.Type(cursor);
    cursor.SkipAttributes();
    result.operands.push_back(cursor.Value());
    if (cursor.failed() || type->kind != IrType::Kind::kInteger ||
        (result.bits != 0 && result.bits != type->bits))
      return {};
    result.bits = type->bits;
  }
  result.function = function;
  return result;
}

std::optional<IrFormula> IrFormulas::ExtremeFormula(const IrInstruction& call, uint32_t bits) {
  using Kind = DerivedNumber::Kind;
  const IntegerCall integers = IntegerCallOf(call);
  const std::optional<Extreme> extreme = ExtremeOf(integers.function);
  bool is_signed = extreme && extreme->is_signed;
  const bool clamps = IsClamp(integers.function, &is_signed);
  if ((!extreme && !clamps) || integers.operands.size() != (clamps ? 3 : 2) ||
      integers.bits != bits)
    return std::nullopt;
  std::optional<IrFormula> result = Of(integers.operands[0], bits);
  for (size_t i = 1; i < integers.operands.size() && result; ++i) {
    const std::optional<IrFormula> other = Of(integers.operands[i], bits);
    if (!other) return std::nullopt;
    const bool is_min = clamps ? i == 2 : extreme->is_min;
    result = Derive(is_min ? Kind::kMinimum : Kind::kMaximum, is_signed, *result, *other);
  }
  return result;
}

std::vector<std::string_view> IrFormulas::OperandsOfExtreme(std::string_view value, bool is_min,
                                                            bool is_signed) {
  const IrInstruction* definition = Definition(Assumed(value));
  if (definition == nullptr || definition->op != "call") return {};
  const IntegerCall integers = IntegerCallOf(*definition);
  const std::optional<Extreme> extreme = ExtremeOf(integers.function);
  if (!extreme || extreme->is_min != is_min || extreme->is_signed != is_signed ||
      integers.operands.size() != 2)
    return {};
  return integers.operands;
}

std::optional<IrFormula> IrFormulas::Derive(DerivedNumber::Kind kind, bool is_signed,
                                            const IrFormula& left, const IrFormula& right) {
  if (!IsUniform(left.value) || !IsUniform(right.value)) return std::nullopt;
  DerivedNumber number;
  number.kind = kind;
  number.bits = static_cast<uint8_t>(left.bits);
  number.is_signed = is_signed;
  number.left = left.value;
  number.right = right.value;
  const auto found = std::find(derived_.begin(), derived_.end(), number);
  const auto index = static_cast<size_t>(found - derived_.begin());
  if (found == derived_.end()) {
    if (derived_.size() >= kMaxDerived) return std::nullopt;
    derived_.push_back(std::move(number));
  }
  IrFormula result;
  result.bits = left.bits;
  result.value = SymbolFormula(kArgument + static_cast<int>(function_.parameters.size() + index));
  result.fits = left.fits;
  result.fits.insert(result.fits.end(), right.fits.begin(), right.fits.end());
  return result;
}

bool IrFormulas::DecidesFirst(const SummaryFormula& value, const SummaryFormula& first) const {
  const auto equal = [&](const SummaryFormula& other) {
    const std::optional<SummaryFormula> difference = Add(value, other, -1);
    return difference && difference->empty();
  };
  // LLVM drops a constant factor: 0 < 4 * n exactly if 0 < n, and 0 <= 2 * r exactly if 0 <= r.
  if (IsMultiple(first, value)) return true;
  const auto next = [](const SummaryFormula& formula) {
    return Add(formula, ConstantFormula(1), 1);
  };
  if (const auto multiple = next(first), single = next(value);
      multiple && single && IsMultiple(*multiple, *single))
    return true;
  // LLVM compares the dividend with the divisor: 0 < n / 4 exactly if 3 - n < 0.
  if (first.size() != 1 || first[0].factor != -1 || first[0].symbols[1] != kNoSymbol) return false;
  const size_t index =
      static_cast<size_t>(first[0].symbols[0]) - kArgument - function_.parameters.size();
  if (index >= derived_.size() || derived_[index].kind == DerivedNumber::Kind::kRemainder ||
      derived_[index].kind == DerivedNumber::Kind::kBoth)
    return false;
  const std::optional<int64_t> divisor = ConstantOf(derived_[index].right);
  if (!divisor || *divisor <= 0) return false;
  const std::optional<SummaryFormula> least =
      Add(ConstantFormula(*divisor - 1), derived_[index].left, -1);
  return least && equal(*least);
}

bool IrFormulas::IsEnteredWith(const Loop& loop) const {
  return std::any_of(loops_.begin(), loops_.end(), [&](const Loop& around) {
    return around.flow != loop.flow && around.flow->blocks[loop.flow->header] &&
           DecidesFirst(around.first, loop.first);
  });
}

}  // namespace gpusan
