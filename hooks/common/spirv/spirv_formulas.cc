// Integers of a SPIR-V function as formulas, and the conditions of its blocks.
#include "hooks/common/spirv/spirv_formulas.h"

#include <spirv/unified1/spirv.hpp>

#include <algorithm>

namespace gpusan {
namespace {

constexpr size_t kMaxFits = 24;
constexpr size_t kMaxGuards = 16;
constexpr int kMaxDepth = 64;

void Append(const std::vector<SummaryFit>& from, std::vector<SummaryFit>* to) {
  to->insert(to->end(), from.begin(), from.end());
}

std::vector<std::vector<uint32_t>> SuccessorsOf(const SpirvFunction& function) {
  std::vector<std::vector<uint32_t>> successors;
  for (const SpirvBlock& block : function.blocks) successors.push_back(block.successors);
  return successors;
}

// The symbol of dimension 0 of a built-in variable; 0: another one.
uint16_t SymbolOf(uint32_t builtin) {
  switch (builtin) {
    case spv::BuiltInGlobalInvocationId:
      return kGlobalId;
    // The vertices and instances of a draw are the work items of two dimensions.
    case spv::BuiltInVertexIndex:
      return kGlobalId;
    case spv::BuiltInInstanceIndex:
      return kGlobalId + 1;
    case spv::BuiltInLocalInvocationId:
      return kLocalId;
    case spv::BuiltInWorkgroupId:
      return kGroupId;
    case spv::BuiltInNumWorkgroups:
      return kGroupCount;
    case spv::BuiltInGlobalSize:
      return kGlobalSize;
    case spv::BuiltInEnqueuedWorkgroupSize:
      return kLocalSize;
    case spv::BuiltInGlobalOffset:
      return kGlobalOffset;
    default:
      return 0;
  }
}

}  // namespace

SpirvFormulas::SpirvFormulas(const SpirvCode& code, const SpirvFunction& function,
                             NameNumber number)
    : code_(code), function_(function), number_(std::move(number)), flow_(SuccessorsOf(function)) {
  FindLocals();
  if (!flow_.known() || odd_) return;
  for (const ControlFlow::Loop& loop : flow_.loops()) FindLoop(loop);
}

void SpirvFormulas::FindLocals() {
  for (uint32_t b = 0; b < function_.blocks.size(); ++b) {
    const SpirvBlock& block = function_.blocks[b];
    odd_ |= block.ends_oddly;
    for (uint32_t i = 0; i < block.instructions.size(); ++i) {
      const SpirvInstruction& instruction = block.instructions[i];
      if (code_.Defined(instruction[1]).words == instruction.words)
        places_[instruction[1]] = {b, i};
      if (instruction.op == spv::OpVariable) {
        // Variables with an initial value are not tracked.
        locals_[instruction[1]].escapes = instruction.count > 3;
        continue;
      }
      for (uint32_t operand = 0; operand < instruction.count; ++operand) {
        const auto local = locals_.find(instruction[operand]);
        if (local == locals_.end()) continue;
        if (instruction.op == spv::OpStore && operand == 0 && instruction.count == 2) {
          local->second.stores.emplace_back(b, &instruction);
        } else if (instruction.op != spv::OpLoad || operand != 2 || instruction.count != 3) {
          // Any other use. A literal operand with the number of the variable counts as one, too.
          local->second.escapes = true;
        }
      }
    }
  }
}

uint32_t SpirvFormulas::TypeOf(uint32_t id) const { return code_.Defined(id)[0]; }

uint32_t SpirvFormulas::ScalarBits(uint32_t type) const {
  const SpirvInstruction& defined = code_.Defined(type);
  const uint32_t scalar = defined.op == spv::OpTypeVector ? defined[1] : type;
  return code_.Defined(scalar).op == spv::OpTypeInt ? code_.Bits(scalar) : 0;
}

std::optional<SpirvFormula> SpirvFormulas::Of(uint32_t id, uint32_t element, int depth) {
  if (depth > kMaxDepth) return std::nullopt;
  const std::pair<uint32_t, uint32_t> key = {id, element};
  if (const auto found = computed_.find(key); found != computed_.end()) return found->second;
  computed_[key] = std::nullopt;  // the result for a value that depends on itself
  const SpirvInstruction& instruction = code_.Defined(id);
  std::optional<SpirvFormula> result;
  if (const uint32_t bits = ScalarBits(instruction[0]); bits >= 8 && bits <= 64) {
    if (const std::optional<int64_t> constant = code_.Constant(id); constant) {
      result = SpirvFormula{ConstantFormula(*constant), {}};
    } else {
      result = Compute(instruction, element, depth + 1);
    }
  }
  if (result && result->fits.size() > kMaxFits) result.reset();
  computed_[key] = result;
  return result;
}

std::optional<SpirvFormula> SpirvFormulas::Compute(const SpirvInstruction& instruction,
                                                   uint32_t element, int depth) {
  switch (instruction.op) {
    case spv::OpConstantComposite:
    case spv::OpSpecConstantComposite:
    case spv::OpCompositeConstruct:
      // Only vectors of scalars: each operand is one element.
      if (code_.Defined(instruction[0]).op != spv::OpTypeVector ||
          code_.Defined(instruction[0])[2] + 2 != instruction.count ||
          element + 2 >= instruction.count)
        return std::nullopt;
      return Of(instruction[2 + element], 0, depth);
    case spv::OpCompositeExtract:
      if (instruction.count != 4 || code_.Defined(TypeOf(instruction[2])).op != spv::OpTypeVector)
        return std::nullopt;
      return Of(instruction[2], instruction[3], depth);
    case spv::OpVectorShuffle: {
      const SpirvInstruction& first = code_.Defined(TypeOf(instruction[2]));
      const uint32_t index = instruction[4 + element];
      if (first.op != spv::OpTypeVector || element + 4 >= instruction.count) return std::nullopt;
      return index < first[2] ? Of(instruction[2], index, depth)
                              : Of(instruction[3], index - first[2], depth);
    }
    case spv::OpLoad:
      return Loaded(instruction, element, depth);
    case spv::OpFunctionParameter:
    case spv::OpArrayLength: {
      const uint16_t symbol = number_(instruction, element);
      if (symbol == 0) return std::nullopt;
      return SpirvFormula{SymbolFormula(symbol), {}};
    }
    case spv::OpPhi:
      for (size_t i = 0; i < loops_.size(); ++i) {
        for (const Counter& counter : loops_[i].counters) {
          if (counter.id == instruction[1]) return Counted(counter, static_cast<int>(i), depth);
        }
      }
      return instruction.count == 4 ? Of(instruction[2], element, depth) : std::nullopt;
    case spv::OpCopyObject:
      return Of(instruction[2], element, depth);
    case spv::OpBitcast:
      // Between signed and unsigned numbers.
      if (ScalarBits(TypeOf(instruction[2])) != ScalarBits(instruction[0])) return std::nullopt;
      return Of(instruction[2], element, depth);
    case spv::OpUConvert:
    case spv::OpSConvert: {
      const uint32_t from = ScalarBits(TypeOf(instruction[2]));
      std::optional<SpirvFormula> value = Of(instruction[2], element, depth);
      if (value && from < ScalarBits(instruction[0]))
        value->fits.push_back(
            {value->value, static_cast<uint8_t>(from), instruction.op == spv::OpSConvert});
      return value;
    }
    default:
      return Sum(instruction, element, depth);
  }
}

std::optional<SpirvFormula> SpirvFormulas::Sum(const SpirvInstruction& instruction,
                                               uint32_t element, int depth) {
  switch (instruction.op) {
    case spv::OpIAdd:
    case spv::OpISub:
    case spv::OpIMul:
    case spv::OpShiftLeftLogical:
    case spv::OpBitwiseAnd:
    case spv::OpBitwiseOr:
      break;
    default:
      return std::nullopt;
  }
  const std::optional<SpirvFormula> a = Of(instruction[2], element, depth);
  const std::optional<SpirvFormula> b = Of(instruction[3], element, depth);
  if (!a || !b) return std::nullopt;
  SpirvFormula result;
  result.fits = a->fits;
  Append(b->fits, &result.fits);
  const std::optional<int64_t> number = ConstantOf(b->value);
  std::optional<SummaryFormula> value;
  switch (instruction.op) {
    case spv::OpIAdd:
      value = Add(a->value, b->value, 1);
      break;
    case spv::OpISub:
      value = Add(a->value, b->value, -1);
      break;
    case spv::OpIMul:
      value = Multiply(a->value, b->value);
      break;
    case spv::OpShiftLeftLogical:
      if (number && *number >= 0 && *number < 32) value = Add({}, a->value, int64_t{1} << *number);
      break;
    case spv::OpBitwiseOr:
      // An addition where no bit is set on both sides.
      if (number && *number >= 0 && (*number >> ZeroBits(a->value)) == 0)
        value = Add(a->value, b->value, 1);
      break;
    default:
      // The low bits: the value itself if it has no others.
      if (number && *number > 0 && (*number & (*number + 1)) == 0) {
        result.fits.push_back(
            {a->value, static_cast<uint8_t>(__builtin_popcountll(static_cast<uint64_t>(*number))),
             false});
        value = a->value;
      }
      break;
  }
  if (!value) return std::nullopt;
  result.value = *value;
  return result;
}

std::optional<SpirvFormula> SpirvFormulas::Loaded(const SpirvInstruction& load, uint32_t element,
                                                  int depth) {
  const uint32_t pointer = load[2];
  if (const auto local = locals_.find(pointer); local != locals_.end()) {
    if (local->second.escapes) return std::nullopt;
    // A load that the only store does not precede reads an undefined value.
    if (local->second.stores.size() == 1)
      return Of((*local->second.stores[0].second)[1], element, depth);
    const auto place = places_.find(load[1]);
    for (size_t i = 0; i < loops_.size() && place != places_.end(); ++i) {
      const auto [block, index] = place->second;
      if (!loops_[i].flow->blocks[block]) continue;
      for (const Counter& counter : loops_[i].counters) {
        if (counter.id != pointer) continue;
        // The load must precede the store of the next value.
        if (block == counter.step_block) {
          const SpirvBlock& in = function_.blocks[block];
          for (uint32_t j = 0; j < index; ++j) {
            if (in.instructions[j].op == spv::OpStore && in.instructions[j][0] == pointer)
              return std::nullopt;
          }
        } else if (flow_.Dominates(counter.step_block, block)) {
          return std::nullopt;
        }
        return Counted(counter, static_cast<int>(i), depth);
      }
    }
    return std::nullopt;
  }
  if (const uint16_t symbol = number_(load, element); symbol != 0)
    return SpirvFormula{SymbolFormula(symbol), {}};
  const SpirvInstruction& chain = code_.Defined(pointer);
  if (chain.op == spv::OpVariable) return BuiltIn(pointer, element);
  if ((chain.op != spv::OpAccessChain && chain.op != spv::OpInBoundsAccessChain) ||
      chain.count != 4)
    return std::nullopt;
  const std::optional<int64_t> index = code_.Constant(chain[3]);
  if (!index || *index < 0 || *index > 2) return std::nullopt;
  return BuiltIn(chain[2], static_cast<uint32_t>(*index));
}

std::optional<SpirvFormula> SpirvFormulas::BuiltIn(uint32_t variable, uint32_t element) {
  const uint32_t builtin = code_.Decoration(variable, spv::DecorationBuiltIn);
  if (builtin == SpirvCode::kNone || element > 2) return std::nullopt;
  if (builtin == spv::BuiltInLocalInvocationIndex) {
    SummaryFormula index = SymbolFormula(kLocalId);
    SummaryFormula size = SymbolFormula(kLocalSize);
    for (int d = 1; d < 3; ++d) {
      const auto row = Multiply(SymbolFormula(kLocalId + d), size);
      const auto sum = row ? Add(index, *row, 1) : std::nullopt;
      const auto next = Multiply(size, SymbolFormula(kLocalSize + d));
      if (!sum || !next) return std::nullopt;
      index = *sum;
      size = *next;
    }
    return SpirvFormula{index, {}};
  }
  const uint16_t symbol = SymbolOf(builtin);
  if (symbol == 0) return std::nullopt;
  return SpirvFormula{SymbolFormula(static_cast<int>(symbol + element)), {}};
}

// --- Conditions

const SpirvFormulas::Conditions& SpirvFormulas::OfBlock(uint32_t block) {
  if (const auto known = conditions_.find(block); known != conditions_.end()) return known->second;
  Conditions& result =
      conditions_[block];  // unknown until set; so a cycle of conditions is unknown
  if (!flow_.known() || odd_) return result;
  using Kind = ControlFlow::Decision::Kind;
  const ControlFlow::Decision decision = flow_.DecisionFor(block);
  Conditions found;
  found.known = decision.kind == Kind::kNothing;
  if (decision.kind == Kind::kSide) {
    const SpirvInstruction& branch = function_.blocks[decision.branch].instructions.back();
    found = OfBlock(decision.branch);
    const bool before = found.known;
    // If this condition is not understood, those of the dominating branch remain.
    Conditions with = found;
    with.known = branch.op == spv::OpBranchConditional &&
                 AddGuards(branch[0], decision.side == 0, &with, 0) &&
                 with.guards.size() <= kMaxGuards && with.fits.size() <= kMaxFits;
    if (with.known) found = with;
    found.known = before && with.known;
  }
  for (const Loop& loop : loops_) {
    if (loop.flow->blocks[block] &&
        (decision.kind != Kind::kSide || !loop.flow->blocks[decision.branch]))
      Append(loop.fits, &found.fits);
  }
  result = std::move(found);
  return result;
}

bool SpirvFormulas::AddGuards(uint32_t condition, bool wanted, Conditions* conditions, int depth) {
  const SpirvInstruction& instruction = code_.Defined(condition);
  if (depth > 8) return false;
  switch (instruction.op) {
    case spv::OpLogicalNot:
      return AddGuards(instruction[2], !wanted, conditions, depth + 1);
    case spv::OpLogicalAnd:
    case spv::OpLogicalOr:
      return (instruction.op == spv::OpLogicalAnd) == wanted &&
             AddGuards(instruction[2], wanted, conditions, depth + 1) &&
             AddGuards(instruction[3], wanted, conditions, depth + 1);
    default:
      return Compare(instruction, wanted, conditions);
  }
}

bool SpirvFormulas::Compare(const SpirvInstruction& compare, bool wanted, Conditions* conditions) {
  using Kind = SummaryGuard::Kind;
  static constexpr struct {
    uint32_t op;
    Kind holds, fails;
    bool is_signed;
  } kCompares[] = {
      {spv::OpIEqual, Kind::kZero, Kind::kNotZero, false},
      {spv::OpINotEqual, Kind::kNotZero, Kind::kZero, false},
      {spv::OpULessThan, Kind::kNegative, Kind::kNotNegative, false},
      {spv::OpSLessThan, Kind::kNegative, Kind::kNotNegative, true},
      {spv::OpULessThanEqual, Kind::kNotPositive, Kind::kPositive, false},
      {spv::OpSLessThanEqual, Kind::kNotPositive, Kind::kPositive, true},
      {spv::OpUGreaterThan, Kind::kPositive, Kind::kNotPositive, false},
      {spv::OpSGreaterThan, Kind::kPositive, Kind::kNotPositive, true},
      {spv::OpUGreaterThanEqual, Kind::kNotNegative, Kind::kNegative, false},
      {spv::OpSGreaterThanEqual, Kind::kNotNegative, Kind::kNegative, true},
  };
  const auto* kind = std::find_if(std::begin(kCompares), std::end(kCompares),
                                  [&](const auto& one) { return one.op == compare.op; });
  if (kind == std::end(kCompares) || code_.Defined(TypeOf(compare[2])).op != spv::OpTypeInt)
    return false;
  const std::optional<SpirvFormula> a = Of(compare[2]);
  const std::optional<SpirvFormula> b = Of(compare[3]);
  const uint32_t bits = ScalarBits(TypeOf(compare[2]));
  const std::optional<SummaryFormula> difference =
      a && b && bits != 0 ? Add(a->value, b->value, -1) : std::nullopt;
  if (!difference) return false;
  SummaryGuard guard = {*difference, wanted ? kind->holds : kind->fails};
  // Write the condition of a loop as a value that must be negative.
  const bool counts = std::any_of(difference->begin(), difference->end(), [](const auto& term) {
    return std::any_of(std::begin(term.symbols), std::end(term.symbols),
                       [](uint16_t symbol) { return symbol >= kLoop && symbol < kArgument; });
  });
  if (counts && guard.kind != Kind::kZero && guard.kind != Kind::kNotZero) {
    const bool negated = guard.kind == Kind::kPositive || guard.kind == Kind::kNotNegative;
    const bool included = guard.kind == Kind::kNotPositive || guard.kind == Kind::kNotNegative;
    std::optional<SummaryFormula> negative = Add({}, guard.value, negated ? -1 : 1);
    if (negative && included) negative = Add(*negative, ConstantFormula(1), -1);
    if (!negative) return false;
    guard = {*negative, Kind::kNegative};
  }
  for (const auto* side : {&*a, &*b}) {
    Append(side->fits, &conditions->fits);
    conditions->fits.push_back({side->value, static_cast<uint8_t>(bits), kind->is_signed});
  }
  conditions->guards.push_back(std::move(guard));
  return true;
}

// --- Loops

std::vector<SpirvFormulas::Counter> SpirvFormulas::CountersOf(const ControlFlow::Loop& flow) {
  std::vector<Counter> counters;
  const auto step_of = [&](uint32_t next, uint32_t id, Counter* counter) {
    const auto place = places_.find(next);
    const SpirvInstruction& sum = code_.Defined(next);
    if ((sum.op != spv::OpIAdd && sum.op != spv::OpISub) || place == places_.end() ||
        !flow.blocks[place->second.first])
      return false;
    // Whether the operand is the old value of the counter: the phi, or a load of the variable.
    const auto old = [&](uint32_t operand) {
      const SpirvInstruction& load = code_.Defined(operand);
      return operand == id || (load.op == spv::OpLoad && load[2] == id);
    };
    if (!old(sum[2]) && (!old(sum[3]) || sum.op == spv::OpISub)) return false;
    counter->id = id;
    counter->step = &sum;
    counter->step_block = place->second.first;
    return true;
  };
  for (const auto& [id, local] : locals_) {
    if (local.escapes || local.stores.size() != 2) continue;
    for (int inside = 0; inside < 2; ++inside) {
      const auto& [next_block, next] = local.stores[static_cast<size_t>(inside)];
      const auto& [first_block, first] = local.stores[static_cast<size_t>(1 - inside)];
      Counter counter;
      if (!flow.blocks[next_block] || flow.blocks[first_block] ||
          !flow_.Dominates(first_block, flow.header) || !flow_.Dominates(next_block, flow.latch) ||
          !step_of((*next)[1], id, &counter))
        continue;
      counter.step_block = next_block;
      counter.initial = (*first)[1];
      counters.push_back(counter);
    }
  }
  for (const SpirvInstruction& phi : function_.blocks[flow.header].instructions) {
    if (phi.op != spv::OpPhi || phi.count != 6) continue;
    const uint32_t latch = function_.blocks[flow.latch].label;
    const bool second = phi[5] == latch;
    Counter counter;
    if (!step_of(second ? phi[4] : phi[2], phi[1], &counter)) continue;
    counter.initial = second ? phi[2] : phi[4];
    counters.push_back(counter);
  }
  return counters;
}

std::optional<SpirvFormula> SpirvFormulas::Counted(const Counter& counter, int loop, int depth) {
  const auto symbol = static_cast<uint16_t>(kLoop + loop);
  const SpirvInstruction& sum = *counter.step;
  const SpirvInstruction& left = code_.Defined(sum[2]);
  const bool old_left = sum[2] == counter.id || (left.op == spv::OpLoad && left[2] == counter.id);
  std::optional<SpirvFormula> result = Of(counter.initial, 0, depth);
  const std::optional<SpirvFormula> step = Of(sum[old_left ? 3 : 2], 0, depth);
  if (!result || !step || Names(result->value, symbol) || Names(step->value, symbol))
    return std::nullopt;
  const auto added = Multiply(step->value, SymbolFormula(symbol));
  const auto value =
      added ? Add(result->value, *added, sum.op == spv::OpISub ? -1 : 1) : std::nullopt;
  if (!value) return std::nullopt;
  Append(step->fits, &result->fits);
  result->value = *value;
  return result;
}

// Adds the loop if a single comparison in front of its body ends it.
void SpirvFormulas::FindLoop(const ControlFlow::Loop& flow) {
  if (flow.exits.size() != 1 || loops_.size() >= static_cast<size_t>(kMaxLoopsOfFunction) ||
      !flow_.Dominates(flow.exits[0].first, flow.latch) || flow.exits[0].first == flow.latch)
    return;
  const SpirvBlock& end = function_.blocks[flow.exits[0].first];
  const SpirvInstruction& branch = end.instructions.back();
  if (branch.op != spv::OpBranchConditional) return;
  Loop loop;
  loop.flow = &flow;
  loop.counters = CountersOf(flow);
  if (loop.counters.empty()) return;
  const int number = static_cast<int>(loops_.size());
  const auto symbol = static_cast<uint16_t>(kLoop + number);
  loops_.push_back(std::move(loop));
  computed_.clear();
  Conditions conditions;
  const bool inside = flow.blocks[end.successors[0]];
  // The comparison must be of a counter that does not wrap around after the last iteration.
  bool understood = AddGuards(branch[0], inside, &conditions, 0) && conditions.guards.size() == 1 &&
                    Names(conditions.guards[0].value, symbol) &&
                    conditions.guards[0].kind == SummaryGuard::Kind::kNegative;
  if (understood) {
    const SpirvInstruction& compare = code_.Defined(branch[0]);
    for (size_t operand = 2; operand < 4 && understood; ++operand) {
      const std::optional<SpirvFormula> side = Of(compare[operand]);
      if (!side || !Names(side->value, symbol)) continue;
      // The value of this side in the next iteration.
      SummaryFormula next = side->value;
      for (const SummaryTerm& term : side->value) {
        if (std::find(std::begin(term.symbols), std::end(term.symbols), symbol) ==
            std::end(term.symbols))
          continue;
        SummaryTerm once = term;
        std::replace(std::begin(once.symbols), std::end(once.symbols), symbol,
                     static_cast<uint16_t>(kNoSymbol));
        std::sort(std::begin(once.symbols), std::end(once.symbols), [](uint16_t a, uint16_t b) {
          return a != kNoSymbol && (b == kNoSymbol || a < b);
        });
        const auto sum = Add(next, {once}, 1);
        understood &= sum.has_value();
        if (sum) next = *sum;
      }
      const uint32_t bits = ScalarBits(TypeOf(compare[operand]));
      const bool is_signed =
          compare.op == spv::OpSLessThan || compare.op == spv::OpSLessThanEqual ||
          compare.op == spv::OpSGreaterThan || compare.op == spv::OpSGreaterThanEqual;
      loops_.back().fits.push_back({next, static_cast<uint8_t>(bits), is_signed});
    }
    understood &= !loops_.back().fits.empty();
  }
  computed_.clear();
  conditions_.clear();
  if (!understood) loops_.pop_back();
}

}  // namespace gpusan
