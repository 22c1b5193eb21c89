// Integer values as formulas, and the conditions of blocks.
#include "report/ir/ir_formulas.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace gpusan {
namespace {

constexpr size_t kMaxFits = 24;
constexpr size_t kMaxGuards = 16;
constexpr int kMaxDepth = 200;
constexpr int64_t kExtension = 0xffff;  // the least mask that extends an integer

// The symbol of dimension 0 that a work-item function returns, by its mangled name; 0: another
// function.
int WorkItemSymbol(std::string_view function) {
  static constexpr struct {
    std::string_view name;
    int symbol;
  } kFunctions[] = {
      {"_Z13get_global_idj", kGlobalId},    {"_Z12get_local_idj", kLocalId},
      {"_Z12get_group_idj", kGroupId},      {"_Z15get_global_sizej", kGlobalSize},
      {"_Z14get_local_sizej", kLocalSize},  {"_Z23get_enqueued_local_sizej", kLocalSize},
      {"_Z14get_num_groupsj", kGroupCount}, {"_Z17get_global_offsetj", kGlobalOffset},
  };
  for (const auto& one : kFunctions) {
    if (one.name == function) return one.symbol;
  }
  return 0;
}

std::vector<std::vector<uint32_t>> SuccessorsOf(const IrFunction& function) {
  std::vector<std::vector<uint32_t>> successors;
  for (const IrBlock& block : function.blocks) successors.push_back(block.successors);
  return successors;
}

}  // namespace

IrFormulas::IrFormulas(IrModule& module, const IrFunction& function)
    : module_(module), function_(function), flow_(SuccessorsOf(function)) {
  for (const IrInstruction& instruction : function.instructions) {
    if (!instruction.result.empty()) definitions_[instruction.result] = &instruction;
  }
  for (size_t i = 0; i < function.parameters.size(); ++i)
    parameters_[function.parameters[i].name] = i;
  for (const ControlFlow::Loop& loop : flow_.loops()) FindLoop(loop);
}

const IrInstruction* IrFormulas::Definition(std::string_view value) const {
  const auto it = definitions_.find(value);
  return it == definitions_.end() ? nullptr : it->second;
}

std::optional<IrFormula> IrFormulas::Of(std::string_view value, uint32_t bits) {
  IrFormula formula;
  formula.bits = bits;
  value = Assumed(value);
  if (value.empty() || bits < 8 || bits > 64) return std::nullopt;
  if (value == wrapped_)
    return bits == wrapped_formula_.bits ? std::optional(wrapped_formula_) : std::nullopt;
  if (value[0] != '%') {
    int64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size()) return std::nullopt;
    formula.value = ConstantFormula(number);
    return formula;
  }
  if (const auto it = parameters_.find(value); it != parameters_.end()) {
    const IrType& type = *function_.parameters[it->second].type;
    if (type.kind != IrType::Kind::kInteger || type.bits != bits || it->second > 1000)
      return std::nullopt;
    formula.value = SymbolFormula(kArgument + static_cast<int>(it->second));
    return formula;
  }
  const IrInstruction* definition = Definition(value);
  if (definition == nullptr || depth_ >= kMaxDepth) return std::nullopt;
  if (const auto it = computed_.find(value); it != computed_.end()) {
    return it->second && it->second->bits == bits ? it->second : std::nullopt;
  }
  computed_[value] = std::nullopt;  // for values that depend on themselves
  ++depth_;
  std::optional<IrFormula> result = Compute(*definition, bits);
  --depth_;
  if (result && (result->fits.size() > kMaxFits || result->bits != bits)) result.reset();
  computed_[value] = result;
  return result;
}

std::string_view IrFormulas::Assumed(std::string_view value) const {
  for (const auto& values : assumed_) {
    if (const auto it = values.find(value); it != values.end()) value = it->second;
  }
  return value;
}

void IrFormulas::Assume(const Alternative& alternative) {
  assumed_.emplace_back(alternative.values.begin(), alternative.values.end());
  computed_.clear();
  conditions_.clear();
}

void IrFormulas::Withdraw() {
  assumed_.pop_back();
  computed_.clear();
  conditions_.clear();
}

std::optional<IrFormula> IrFormulas::Compute(const IrInstruction& instruction, uint32_t bits) {
  const std::string_view op = instruction.op;
  if (op == "call") {
    std::optional<IrFormula> result = WorkItemFunction(instruction, bits);
    if (!result) result = ExtremeFormula(instruction, bits);
    return result ? result : ShortProduct(instruction, bits);
  }
  if (op == "select") return Select(instruction, bits);
  if (op == "extractelement" || op == "load") return Field(instruction, bits);
  if (op == "phi") return Phi(instruction, bits);
  if (op == "trunc" || op == "sext" || op == "zext" || op == "freeze")
    return Conversion(instruction, bits);
  if (op == "shl" || op == "ashr" || op == "lshr") return Shift(instruction, bits);
  if (op == "sdiv" || op == "udiv" || op == "srem" || op == "urem")
    return Division(instruction, bits);
  if (op == "xor") return ExclusiveOr(instruction, bits);
  if (op == "add" || op == "sub" || op == "mul" || op == "or" || op == "and")
    return Arithmetic(instruction, bits);
  return std::nullopt;
}

std::optional<IrFormula> IrFormulas::WorkItemFunction(const IrInstruction& call, uint32_t bits) {
  IrCursor cursor(call.rest);
  cursor.SkipAttributes();
  module_.Type(cursor);
  const std::string_view function = cursor.Value();
  const int symbol =
      function.empty() || function[0] != '@' ? 0 : WorkItemSymbol(function.substr(1));
  if (symbol == 0 || bits != 64 || !cursor.Take("(")) return std::nullopt;
  module_.Type(cursor);
  cursor.SkipAttributes();
  const int64_t dimension = cursor.Number();
  if (cursor.failed() || dimension < 0 || dimension > 2) return std::nullopt;
  IrFormula result;
  result.bits = bits;
  result.value = SymbolFormula(symbol + static_cast<int>(dimension));
  return result;
}

// The counter of a loop, or a phi with one value.
std::optional<IrFormula> IrFormulas::Phi(const IrInstruction& phi, uint32_t bits) {
  for (size_t loop = 0; loop < loops_.size(); ++loop) {
    if (loops_[loop].flow->header != phi.block) continue;
    const std::optional<Counter> counter = CounterOf(phi, *loops_[loop].flow);
    return counter && counter->bits == bits ? ValueOf(*counter, static_cast<int>(loop))
                                            : std::nullopt;
  }
  const std::optional<IrPhi> values = PhiOf(module_, phi);
  if (!values || values->type->bits != bits || values->edges.size() != 1) return std::nullopt;
  return Of(values->edges[0].value, bits);
}

std::optional<IrFormula> IrFormulas::Conversion(const IrInstruction& instruction, uint32_t bits) {
  IrCursor cursor(instruction.rest);
  while (cursor.Take("nuw") || cursor.Take("nsw") || cursor.Take("nneg")) {
  }
  const IrType* from = module_.Type(cursor);
  const std::string_view operand = cursor.Value();
  if (cursor.failed() || from->kind != IrType::Kind::kInteger) return std::nullopt;
  const bool is_signed = instruction.op == "sext";
  if (from->bits == 1) {
    std::optional<IrFormula> truth = Truth(operand);
    if (!truth) return std::nullopt;
    truth->bits = bits;
    if (is_signed) {
      for (SummaryTerm& term : truth->value) term.factor = -term.factor;
    }
    return truth;
  }
  std::optional<IrFormula> value = Of(operand, from->bits);
  if (!value) return std::nullopt;
  if (is_signed || instruction.op == "zext")
    value->fits.push_back({value->value, static_cast<uint8_t>(from->bits), is_signed});
  value->bits = bits;
  return value;
}

std::optional<std::pair<IrFormula, IrFormula>> IrFormulas::Operands(IrCursor* cursor,
                                                                    uint32_t bits) {
  const IrType* type = module_.Type(*cursor);
  const std::string_view first = cursor->Value();
  if (!cursor->Take(",") || type->kind != IrType::Kind::kInteger || type->bits != bits)
    return std::nullopt;
  const std::string_view second = cursor->Value();
  if (cursor->failed()) return std::nullopt;
  std::optional<IrFormula> a = Of(first, bits);
  std::optional<IrFormula> b = Of(second, bits);
  if (!a || !b) return std::nullopt;
  return std::pair(*std::move(a), *std::move(b));
}

std::optional<IrFormula> IrFormulas::Arithmetic(const IrInstruction& instruction, uint32_t bits) {
  IrCursor cursor(instruction.rest);
  const std::string_view op = instruction.op;
  while (cursor.Take("nuw") || cursor.Take("nsw")) {
  }
  const bool disjoint = cursor.Take("disjoint");
  const auto operands = Operands(&cursor, bits);
  if (!operands) return std::nullopt;
  const auto& [a, b] = *operands;
  IrFormula result;
  result.bits = bits;
  result.fits = a.fits;
  Append(b.fits, &result.fits);
  std::optional<SummaryFormula> value;
  if (op == "add") {
    value = Add(a.value, b.value, 1);
  } else if (op == "sub") {
    value = Add(a.value, b.value, -1);
  } else if (op == "mul") {
    value = Product(a.value, b.value);
  } else if (const std::optional<int64_t> number = ConstantOf(b.value); op == "or") {
    // An addition where no bit is set on both sides.
    if (disjoint || (number && *number >= 0 && (*number >> ZeroBits(a.value)) == 0))
      value = Add(a.value, b.value, 1);
  } else {
    // An extension has the formula of the value, so that formulas of equal values are equal.
    if (!number || *number < kExtension) {
      if (const auto masked = Masked(a, b)) return masked;
    }
    if (!number || *number <= 0 || (*number & (*number + 1)) != 0) return std::nullopt;
    // The low bits: the value itself if it has no others.
    result.fits.push_back(
        {a.value, static_cast<uint8_t>(__builtin_popcountll(static_cast<uint64_t>(*number))),
         false});
    value = a.value;
  }
  if (!value) return std::nullopt;
  result.value = Canonical(*value);
  return result;
}

bool IrFormulas::ShiftByConstant(const IrInstruction& shift, uint32_t bits, std::string_view* value,
                                 int64_t* distance) {
  IrCursor cursor(shift.rest);
  while (cursor.Take("nuw") || cursor.Take("nsw") || cursor.Take("exact")) {
  }
  const IrType* type = module_.Type(cursor);
  *value = cursor.Value();
  if (!cursor.Take(",")) return false;
  *distance = cursor.Number();
  return !cursor.failed() && type->kind == IrType::Kind::kInteger && type->bits == bits &&
         *distance >= 0 && *distance < static_cast<int64_t>(bits) && *distance < 62;
}

std::optional<IrFormula> IrFormulas::ShiftLeft(std::string_view value, uint32_t bits,
                                               int64_t distance) {
  std::optional<IrFormula> formula = Of(value, bits);
  if (!formula) return std::nullopt;
  const std::optional<SummaryFormula> shifted = Add({}, formula->value, int64_t{1} << distance);
  if (!shifted) return std::nullopt;
  formula->value = *shifted;
  return formula;
}

std::optional<IrFormula> IrFormulas::Shift(const IrInstruction& instruction, uint32_t bits) {
  std::string_view value;
  int64_t distance = 0;
  if (!ShiftByConstant(instruction, bits, &value, &distance)) {
    IrCursor cursor(instruction.rest);
    while (cursor.Take("nuw") || cursor.Take("nsw") || cursor.Take("exact")) {
    }
    const auto both = Operands(&cursor, bits);
    return both && !ConstantOf(both->second.value)
               ? Shifted(instruction.op, both->first, both->second)
               : std::nullopt;
  }
  if (instruction.op == "shl") return ShiftLeft(value, bits, distance);
  // A shift to the right is a division.
  const bool is_signed = instruction.op == "ashr";
  const std::optional<IrFormula> shifted = Of(value, bits);
  IrFormula divisor;
  divisor.bits = bits;
  divisor.value = ConstantFormula(int64_t{1} << distance);
  if (shifted) {
    if (const auto quotient =
            Derive(is_signed ? DerivedNumber::Kind::kFloor : DerivedNumber::Kind::kQuotient,
                   is_signed, *shifted, divisor))
      return quotient;
  }
  // A shift to the left and back is an extension of the low bits.
  const IrInstruction* inner = Definition(value);
  std::string_view original;
  int64_t left = 0;
  if (inner == nullptr || inner->op != "shl" || !ShiftByConstant(*inner, bits, &original, &left) ||
      left < distance) {
    return shifted ? DerivePart(SummaryPart::Kind::kQuotient, is_signed, *shifted, divisor)
                   : std::nullopt;
  }
  std::optional<IrFormula> formula = ShiftLeft(original, bits, left - distance);
  if (!formula) return std::nullopt;
  formula->fits.push_back({formula->value, static_cast<uint8_t>(bits - distance), is_signed});
  return formula;
}

// --- Conditions of blocks

const IrFormulas::Conditions& IrFormulas::Of(uint32_t block) {
  if (const auto it = conditions_.find(block); it != conditions_.end()) return it->second;
  Conditions& result = conditions_[block];  // not known, also for conditions in a circle
  if (!flow_.known()) return result;
  for (const Loop& loop : loops_) {
    if (loop.flow->blocks[block] && !(loop.header_tests && loop.flow->header == block))
      AddIteration(loop, &result);
  }
  for (const IrBlock& one : function_.blocks) {
    if (one.ends_oddly) return result;
  }
  using Kind = ControlFlow::Decision::Kind;
  const ControlFlow::Decision decision = paths().DecisionFor(block);
  Conditions found;
  found.known = decision.kind == Kind::kNothing;
  if (decision.kind == Kind::kSide) {
    const IrInstruction* branch = EndOf(decision.branch);
    found = Of(decision.branch);
    const auto tested = std::find_if(loops_.begin(), loops_.end(), [&](const Loop& loop) {
      return loop.header_tests && loop.flow->header == decision.branch && loop.flow->blocks[block];
    });
    if (found.known && tested != loops_.end()) {
      AddIteration(*tested, &found);
    } else if (found.known) {
      found.known = branch != nullptr && AddSide(*branch, decision.side, &found);
    }
  }
  for (const Loop& loop : loops_) {
    if (found.known && loop.flow->blocks[block] && !loop.header_tests &&
        (decision.kind != Kind::kSide || !loop.flow->blocks[decision.branch]))
      found.known = Enter(loop, &found);
  }
  if (found.known && found.guards.size() <= kMaxGuards && found.fits.size() <= kMaxFits)
    result = std::move(found);
  return result;
}

const IrInstruction* IrFormulas::EndOf(uint32_t block) const {
  const IrInstruction* end = nullptr;
  for (const IrInstruction& instruction : function_.instructions) {
    if (instruction.block == block) end = &instruction;
  }
  return end;
}

// --- Conditions

bool IrFormulas::AddSide(const IrInstruction& branch, uint32_t side, Conditions* conditions) {
  IrCursor cursor(branch.rest);
  const IrType* type = module_.Type(cursor);
  const std::string_view value = cursor.Value();
  if (cursor.failed()) return false;
  if (branch.op == "br") return AddGuards(value, side == 0, conditions, 0);
  // switch i32 %value, label %default [ i32 0, label %first i32 15, label %second ]
  const auto label = [&] {
    if (!cursor.Take(",") || !cursor.Take("label")) cursor.Fail();
    cursor.Value();
  };
  if (branch.op != "switch" || type->kind != IrType::Kind::kInteger) return false;
  const std::optional<IrFormula> switched = Of(value, type->bits);
  label();
  if (!switched || !cursor.Take("[")) return false;
  for (uint32_t number = 1; !cursor.Take("]"); ++number) {
    module_.Type(cursor);
    const int64_t constant = cursor.Number();
    label();
    if (cursor.failed() || conditions->guards.size() > kMaxGuards) return false;
    if (side != 0 && side != number) continue;
    const std::optional<SummaryFormula> difference =
        Add(switched->value, ConstantFormula(constant), -1);
    if (!difference) return false;
    conditions->guards.push_back(
        {*difference, side == 0 ? SummaryGuard::Kind::kNotZero : SummaryGuard::Kind::kZero});
  }
  Append(switched->fits, &conditions->fits);
  conditions->fits.push_back({switched->value, static_cast<uint8_t>(type->bits), true});
  return true;
}

bool IrFormulas::AddGuards(std::string_view value, bool wanted, Conditions* conditions, int depth) {
  const IrInstruction* definition = Definition(value);
  if (definition == nullptr || depth > 8) return false;
  if (definition->op == "icmp") return AddCompare(*definition, wanted, conditions);
  IrCursor cursor(definition->rest);
  const auto next = [&](IrCursor& reader) {
    reader.Take("disjoint");
    module_.Type(reader);
    return reader.Value();
  };
  if (definition->op == "freeze") return AddGuards(next(cursor), wanted, conditions, depth + 1);
  if (definition->op == "xor") {
    const std::string_view first = next(cursor);
    if (!cursor.Take(",") || !cursor.Take("true")) return false;
    return AddGuards(first, !wanted, conditions, depth + 1);
  }
  std::string_view first, second;
  if ((definition->op == "and" && wanted) || (definition->op == "or" && !wanted)) {
    first = next(cursor);
    if (!cursor.Take(",")) return false;
    second = cursor.Value();
  } else if (definition->op == "select") {
    // `select c, x, false` is c and x; `select c, true, x` is c or x.
    first = next(cursor);
    if (!cursor.Take(",")) return false;
    const std::string_view yes = next(cursor);
    if (!cursor.Take(",")) return false;
    const std::string_view no = next(cursor);
    if (wanted && no == "false") {
      second = yes;
    } else if (!wanted && yes == "true") {
      second = no;
    } else {
      return false;
    }
  } else {
    return false;
  }
  return !cursor.failed() && AddGuards(first, wanted, conditions, depth + 1) &&
         AddGuards(second, wanted, conditions, depth + 1);
}

bool IrFormulas::AddCompare(const IrInstruction& compare, bool wanted, Conditions* conditions) {
  IrCursor cursor(compare.rest);
  cursor.Take("samesign");
  const std::string_view predicate = cursor.Word();
  const IrType* type = module_.Type(cursor);
  const std::string_view left = cursor.Value();
  if (!cursor.Take(",")) return false;
  const std::string_view right = cursor.Value();
  if (cursor.failed() || type->kind != IrType::Kind::kInteger || predicate.size() < 2) return false;
  return AddComparison(predicate, left, right, type->bits, wanted, conditions);
}

bool IrFormulas::AddHighBits(std::string_view value, uint32_t bits, bool zero,
                             Conditions* conditions) {
  const IrInstruction* masked = Definition(value);
  if (masked == nullptr || masked->op != "and") return false;
  IrCursor cursor(masked->rest);
  module_.Type(cursor);
  const std::string_view whole = cursor.Value();
  if (!cursor.Take(",")) return false;
  const auto mask = static_cast<uint64_t>(cursor.Number()) & (~uint64_t{0} >> (64 - bits));
  if (cursor.failed() || mask == 0) return false;
  const int low = std::countr_zero(mask), width = std::popcount(mask);
  if (low == 0 || low > 61 || width == 64 || mask >> low != (uint64_t{1} << width) - 1)
    return false;  // not one run of bits with a run of zeros below
  const std::optional<IrFormula> formula = Of(whole, bits);
  if (!formula) return false;
  const std::optional<SummaryFormula> difference =
      Add(formula->value, ConstantFormula(int64_t{1} << low), -1);
  if (!difference) return false;
  conditions->guards.push_back(
      {*difference, zero ? SummaryGuard::Kind::kNegative : SummaryGuard::Kind::kNotNegative});
  Append(formula->fits, &conditions->fits);
  conditions->fits.push_back({formula->value, static_cast<uint8_t>(low + width), false});
  return true;
}

bool IrFormulas::AddComparison(std::string_view predicate, std::string_view left,
                               std::string_view right, uint32_t bits, bool wanted,
                               Conditions* conditions) {
  using Kind = SummaryGuard::Kind;
  if (right == "0" && (predicate == "eq" || predicate == "ne") &&
      AddHighBits(left, bits, (predicate == "eq") == wanted, conditions))
    return true;
  const std::optional<IrFormula> a = Of(left, bits);
  const std::optional<IrFormula> b = Of(right, bits);
  if (!a || !b) {
    // A value is below the least one of two if it is below both of them.
    const std::string_view relation = predicate.substr(predicate.size() - 2);
    if (relation[0] != 'l' && relation[0] != 'g') return false;
    const bool below = (relation[0] == 'l') == wanted, is_signed = predicate[0] == 's';
    const auto lefts = OperandsOfExtreme(left, !below, is_signed);
    const auto rights = OperandsOfExtreme(right, below, is_signed);
    const auto add = [&](std::string_view one, std::string_view other) {
      return AddComparison(predicate, one, other, bits, wanted, conditions);
    };
    if (!lefts.empty() && b)
      return std::all_of(lefts.begin(), lefts.end(),
                         [&](std::string_view one) { return add(one, right); });
    return !rights.empty() && a &&
           std::all_of(rights.begin(), rights.end(),
                       [&](std::string_view one) { return add(left, one); });
  }
  SummaryGuard guard;
  const std::optional<SummaryFormula> difference = Add(a->value, b->value, -1);
  if (!difference) return false;
  guard.value = *difference;
  const std::string_view order = predicate.size() == 3 ? predicate.substr(1) : predicate;
  if (order == "eq") {
    guard.kind = wanted ? Kind::kZero : Kind::kNotZero;
  } else if (order == "ne") {
    guard.kind = wanted ? Kind::kNotZero : Kind::kZero;
  } else if (order == "lt") {
    guard.kind = wanted ? Kind::kNegative : Kind::kNotNegative;
  } else if (order == "le") {
    guard.kind = wanted ? Kind::kNotPositive : Kind::kPositive;
  } else if (order == "gt") {
    guard.kind = wanted ? Kind::kPositive : Kind::kNotPositive;
  } else if (order == "ge") {
    guard.kind = wanted ? Kind::kNotNegative : Kind::kNegative;
  } else {
    return false;
  }
  const bool is_signed = predicate[0] != 'u';
  Append(a->fits, &conditions->fits);
  Append(b->fits, &conditions->fits);
  for (const IrFormula* side : {&*a, &*b}) {
    if (!ConstantOf(side->value) || !is_signed)
      conditions->fits.push_back({side->value, static_cast<uint8_t>(bits), is_signed});
  }
  conditions->guards.push_back(std::move(guard));
  return true;
}

}  // namespace gpusan
