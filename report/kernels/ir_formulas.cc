// Integer values as formulas, and the conditions of blocks.
#include "report/kernels/ir_formulas.h"

#include <algorithm>
#include <charconv>

namespace gpusan {
namespace {

constexpr size_t kMaxFits = 24;
constexpr size_t kMaxGuards = 16;
constexpr int kMaxDepth = 200;
constexpr int64_t kExtension = 0xffff;  // the least mask that extends an integer

void Append(const std::vector<SummaryFit>& from, std::vector<SummaryFit>* to) {
  to->insert(to->end(), from.begin(), from.end());
}

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

// The value that is negative if, and only if, the guard holds; nothing for equality.
std::optional<SummaryFormula> NegativeForm(const SummaryGuard& guard) {
  using Kind = SummaryGuard::Kind;
  const bool negated = guard.kind == Kind::kPositive || guard.kind == Kind::kNotNegative;
  const bool included = guard.kind == Kind::kNotPositive || guard.kind == Kind::kNotNegative;
  if (guard.kind == Kind::kZero || guard.kind == Kind::kNotZero) return std::nullopt;
  const std::optional<SummaryFormula> value = Add({}, guard.value, negated ? -1 : 1);
  return value && included ? Add(*value, ConstantFormula(1), -1) : value;
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
  if (op == "call") return WorkItemFunction(instruction, bits);
  if (op == "phi") return Phi(instruction, bits);
  if (op == "trunc" || op == "sext" || op == "zext" || op == "freeze")
    return Conversion(instruction, bits);
  if (op == "shl" || op == "ashr" || op == "lshr") return Shift(instruction, bits);
  if (op == "sdiv" || op == "udiv" || op == "srem" || op == "urem")
    return Division(instruction, bits);
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
  IrCursor cursor(phi.rest);
  const IrType* type = module_.Type(cursor);
  if (type->bits != bits || !cursor.Take("[")) return std::nullopt;
  const std::string_view only = cursor.Value();
  if (!cursor.Take(",")) return std::nullopt;
  cursor.Value();
  if (!cursor.Take("]") || !cursor.AtEnd() || cursor.failed()) return std::nullopt;
  return Of(only, bits);
}

std::optional<IrFormula> IrFormulas::Conversion(const IrInstruction& instruction, uint32_t bits) {
  IrCursor cursor(instruction.rest);
  while (cursor.Take("nuw") || cursor.Take("nsw") || cursor.Take("nneg")) {
  }
  const IrType* from = module_.Type(cursor);
  const std::string_view operand = cursor.Value();
  if (cursor.failed() || from->kind != IrType::Kind::kInteger) return std::nullopt;
  std::optional<IrFormula> value = Of(operand, from->bits);
  if (!value) return std::nullopt;
  const bool is_signed = instruction.op == "sext";
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
    value = Multiply(a.value, b.value);
  } else if (const std::optional<int64_t> number = ConstantOf(b.value); op == "or") {
    // An addition where no bit is set on both sides.
    if (disjoint || (number && *number >= 0 && (*number >> ZeroBits(a.value)) == 0))
      value = Add(a.value, b.value, 1);
  } else {
    // An extension has the formula of the value, so that formulas of equal values are equal.
    if (!number || *number < kExtension) {
      if (const auto both = Derive(DerivedNumber::Kind::kBoth, true, a, b)) return both;
    }
    if (!number || *number <= 0 || (*number & (*number + 1)) != 0) return std::nullopt;
    // The low bits: the value itself if it has no others.
    result.fits.push_back(
        {a.value, static_cast<uint8_t>(__builtin_popcountll(static_cast<uint64_t>(*number))),
         false});
    value = a.value;
  }
  if (!value) return std::nullopt;
  result.value = *value;
  return result;
}

std::optional<IrFormula> IrFormulas::Shift(const IrInstruction& instruction, uint32_t bits) {
  const auto operands = [&](const IrInstruction& shift, std::string_view* value,
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
  };
  std::string_view value;
  int64_t distance = 0;
  if (!operands(instruction, &value, &distance)) return std::nullopt;
  if (instruction.op == "shl") {
    std::optional<IrFormula> formula = Of(value, bits);
    if (!formula) return std::nullopt;
    const std::optional<SummaryFormula> shifted = Add({}, formula->value, int64_t{1} << distance);
    if (!shifted) return std::nullopt;
    formula->value = *shifted;
    return formula;
  }
  if (const std::optional<IrFormula> shifted = Of(value, bits)) {
    IrFormula divisor;
    divisor.bits = bits;
    divisor.value = ConstantFormula(int64_t{1} << distance);
    const bool is_signed = instruction.op == "ashr";
    if (const auto quotient =
            Derive(is_signed ? DerivedNumber::Kind::kFloor : DerivedNumber::Kind::kQuotient,
                   is_signed, *shifted, divisor))
      return quotient;
  }
  // A shift to the left and back is an extension of the low bits.
  const IrInstruction* inner = Definition(value);
  if (inner == nullptr || inner->op != "shl") return std::nullopt;
  std::string_view original;
  int64_t left = 0;
  if (!operands(*inner, &original, &left) || left < distance) return std::nullopt;
  std::optional<IrFormula> formula = Of(original, bits);
  if (!formula) return std::nullopt;
  const std::optional<SummaryFormula> shifted =
      Add({}, formula->value, int64_t{1} << (left - distance));
  if (!shifted) return std::nullopt;
  formula->value = *shifted;
  formula->fits.push_back(
      {formula->value, static_cast<uint8_t>(bits - distance), instruction.op == "ashr"});
  return formula;
}

// --- Conditions of blocks

const IrFormulas::Conditions& IrFormulas::Of(uint32_t block) {
  if (const auto it = conditions_.find(block); it != conditions_.end()) return it->second;
  Conditions& result = conditions_[block];  // not known, also for conditions in a circle
  if (!flow_.known()) return result;
  for (const Loop& loop : loops_) {
    if (!loop.flow->blocks[block]) continue;
    result.guards.push_back(loop.condition);
    Append(loop.fits, &result.fits);
  }
  for (const IrBlock& one : function_.blocks) {
    if (one.ends_oddly) return result;
  }
  using Kind = ControlFlow::Decision::Kind;
  const ControlFlow::Decision decision = flow_.DecisionFor(block);
  Conditions found;
  found.known = decision.kind == Kind::kNothing;
  if (decision.kind == Kind::kSide) {
    const IrInstruction* branch = EndOf(decision.branch);
    found = Of(decision.branch);
    if (found.known) {
      found.known = branch != nullptr && AddSide(*branch, decision.side, &found);
    }
  }
  for (const Loop& loop : loops_) {
    if (found.known && loop.flow->blocks[block] &&
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

// --- Loops

std::optional<IrFormulas::Counter> IrFormulas::CounterOf(const IrInstruction& phi,
                                                         const ControlFlow::Loop& loop) {
  IrCursor cursor(phi.rest);
  const IrType* type = module_.Type(cursor);
  if (type->kind != IrType::Kind::kInteger) return std::nullopt;
  Counter counter;
  counter.name = phi.result;
  counter.bits = type->bits;
  for (int i = 0; i < 2; ++i) {
    if (i == 1) cursor.Take(",");
    if (!cursor.Take("[")) return std::nullopt;
    const std::string_view value = cursor.Value();
    if (!cursor.Take(",")) return std::nullopt;
    std::string_view from = cursor.Value();
    if (cursor.failed() || from.empty() || !cursor.Take("]")) return std::nullopt;
    from.remove_prefix(1);
    (from == function_.blocks[loop.latch].label ? counter.next : counter.initial) = value;
  }
  const IrInstruction* next = Definition(counter.next);
  if (!cursor.AtEnd() || counter.initial.empty() || next == nullptr || !loop.blocks[next->block] ||
      (next->op != "add" && next->op != "sub"))
    return std::nullopt;
  IrCursor sum(next->rest);
  while (sum.Take("nuw") || sum.Take("nsw")) {
  }
  module_.Type(sum);
  const std::string_view left = sum.Value();
  if (!sum.Take(",")) return std::nullopt;
  const std::string_view right = sum.Value();
  counter.subtracts = next->op == "sub";
  if (sum.failed() || (left != counter.name && (right != counter.name || counter.subtracts)))
    return std::nullopt;
  counter.step = left == counter.name ? right : left;
  return counter;
}

std::optional<IrFormula> IrFormulas::ValueOf(const Counter& counter, int loop) {
  const auto symbol = static_cast<uint16_t>(kLoop + loop);
  std::optional<IrFormula> initial = Of(counter.initial, counter.bits);
  const std::optional<IrFormula> step = Of(counter.step, counter.bits);
  if (!initial || !step || Names(initial->value, symbol) || Names(step->value, symbol))
    return std::nullopt;
  const std::optional<SummaryFormula> added = Multiply(step->value, SymbolFormula(symbol));
  if (!added) return std::nullopt;
  const std::optional<SummaryFormula> value =
      Add(initial->value, *added, counter.subtracts ? -1 : 1);
  if (!value) return std::nullopt;
  initial->value = *value;
  Append(step->fits, &initial->fits);
  // A factor is a signed number.
  initial->fits.push_back({step->value, static_cast<uint8_t>(counter.bits), true});
  return initial;
}

// Knows loops in the form that LLVM gives them: the only way out is a comparison after the body,
// and a condition in front of the loop is the same one for the first iteration.
void IrFormulas::FindLoop(const ControlFlow::Loop& flow) {
  if (loops_.size() >= static_cast<size_t>(kMaxLoopsOfFunction) || flow.exits.size() != 1 ||
      flow.exits[0].first != flow.latch)
    return;
  Loop loop;
  loop.flow = &flow;
  loops_.push_back(loop);
  bool found = false;
  for (const IrInstruction& phi : function_.instructions) {
    if (phi.op != "phi" || phi.block != flow.header) continue;
    const std::optional<Counter> counter = CounterOf(phi, flow);
    if (counter && CompareCounter(flow, *counter, &loop)) {
      found = true;
      break;
    }
  }
  loops_.pop_back();
  computed_.clear();
  conditions_.clear();
  if (!found) return;
  Conditions in_front = Of(flow.header);
  conditions_.clear();
  if (!in_front.known || !Enter(loop, &in_front)) return;
  loops_.push_back(std::move(loop));
}

namespace {

// The values with which a loop continues: those below the bound or above it, or also equal to it.
struct Continuation {
  bool below, equal, is_signed;
};

// `predicate`: of icmp. `swapped`: the counter is the right operand. `continues`: the loop
// continues if the comparison is true. `step`: of the counter, if it is constant. Returns nullopt
// if the counter may skip the bound.
std::optional<Continuation> ContinuationOf(std::string_view predicate, bool swapped, bool continues,
                                           const std::optional<int64_t>& step, bool subtracts) {
  const std::string_view order = predicate.size() == 3 ? predicate.substr(1) : predicate;
  if (order == "eq" || order == "ne") {
    if ((order == "ne") != continues || !step || (*step != 1 && *step != -1)) return std::nullopt;
    return Continuation{(*step == 1) != subtracts, false, true};
  }
  bool below = order == "lt" || order == "le";
  const bool equal = order == "le" || order == "ge";
  if (swapped) below = !below;
  const bool is_signed = predicate[0] == 's';
  if (continues) return Continuation{below, equal, is_signed};
  return Continuation{!below, !equal, is_signed};
}

}  // namespace

std::optional<IrFormulas::Comparison> IrFormulas::ComparisonOf(const IrInstruction& branch) {
  IrCursor cursor(branch.rest);
  module_.Type(cursor);
  const IrInstruction* compare = Definition(cursor.Value());
  if (compare == nullptr || compare->op != "icmp") return std::nullopt;
  IrCursor reader(compare->rest);
  reader.Take("samesign");
  Comparison comparison;
  comparison.predicate = reader.Word();
  module_.Type(reader);
  comparison.left = reader.Value();
  if (!reader.Take(",")) return std::nullopt;
  comparison.right = reader.Value();
  if (reader.failed() || comparison.predicate.size() < 2) return std::nullopt;
  return comparison;
}

bool IrFormulas::CompareCounter(const ControlFlow::Loop& flow, const Counter& counter, Loop* loop) {
  const int number = static_cast<int>(loops_.size()) - 1;
  const IrInstruction* branch = EndOf(flow.latch);
  if (branch == nullptr || branch->op != "br" ||
      function_.blocks[flow.latch].successors.size() != 2)
    return false;
  const bool continues = function_.blocks[flow.latch].successors[0] == flow.header;
  const std::optional<Comparison> comparison = ComparisonOf(*branch);
  if (!comparison) return false;
  const std::string_view left = comparison->left, right = comparison->right;
  // The comparison is of the counter's value in this iteration or in the next one.
  const bool of_next = left == counter.next || right == counter.next;
  const std::string_view compared = of_next ? counter.next : counter.name;
  if (left != compared && right != compared) return false;
  const bool swapped = left != compared;
  const auto symbol = static_cast<uint16_t>(kLoop + number);
  std::optional<IrFormula> bound = Of(swapped ? left : right, counter.bits);
  const std::optional<IrFormula> value = ValueOf(counter, number);
  if (!bound || !value || Names(bound->value, symbol)) return false;
  const std::optional<IrFormula> step = Of(counter.step, counter.bits);
  loop->fits = value->fits;
  Append(bound->fits, &loop->fits);
  const std::optional<Continuation> continuation = ContinuationOf(
      comparison->predicate, swapped, continues, ConstantOf(step->value), counter.subtracts);
  if (!continuation) return false;
  const auto [below, equal, is_signed] = *continuation;
  loop->fits.push_back({bound->value, static_cast<uint8_t>(counter.bits), is_signed});
  if (!of_next) {
    const std::optional<SummaryFormula> later =
        Add(bound->value, step->value, counter.subtracts ? -1 : 1);
    if (!later) return false;
    bound->value = *later;
  }
  std::optional<SummaryFormula> condition =
      below ? Add(value->value, bound->value, -1) : Add(bound->value, value->value, -1);
  if (condition && equal) condition = Add(*condition, ConstantFormula(1), -1);
  std::optional<SummaryFormula> next = Add(value->value, step->value, counter.subtracts ? -1 : 1);
  if (!condition || !next) return false;
  loop->condition = {*condition, SummaryGuard::Kind::kNegative};
  loop->fits.push_back({*next, static_cast<uint8_t>(counter.bits), is_signed});
  for (const SummaryTerm& term : *condition) {
    if (std::find(std::begin(term.symbols), std::end(term.symbols), symbol) ==
        std::end(term.symbols))
      loop->first.push_back(term);
  }
  const std::optional<int64_t> first = ConstantOf(loop->first);
  loop->surely_first = first && *first < 0;
  return true;
}

bool IrFormulas::Enter(const Loop& loop, Conditions* conditions) const {
  const auto in_front = std::find_if(conditions->guards.begin(), conditions->guards.end(),
                                     [&](const SummaryGuard& guard) {
                                       const auto value = NegativeForm(guard);
                                       return value && DecidesFirst(*value, loop);
                                     });
  if (in_front != conditions->guards.end()) {
    conditions->guards.erase(in_front);
  } else if (!loop.surely_first && !IsEnteredWith(loop)) {
    return false;
  }
  conditions->guards.push_back(loop.condition);
  Append(loop.fits, &conditions->fits);
  return true;
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
  using Kind = SummaryGuard::Kind;
  IrCursor cursor(compare.rest);
  cursor.Take("samesign");
  const std::string_view predicate = cursor.Word();
  const IrType* type = module_.Type(cursor);
  const std::string_view left = cursor.Value();
  if (!cursor.Take(",")) return false;
  const std::string_view right = cursor.Value();
  if (cursor.failed() || type->kind != IrType::Kind::kInteger || predicate.size() < 2) return false;
  const std::optional<IrFormula> a = Of(left, type->bits);
  const std::optional<IrFormula> b = Of(right, type->bits);
  if (!a || !b) return false;
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
      conditions->fits.push_back({side->value, static_cast<uint8_t>(type->bits), is_signed});
  }
  conditions->guards.push_back(std::move(guard));
  return true;
}

}  // namespace gpusan
