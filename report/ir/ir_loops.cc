// Loops whose iterations depend on a counter.
#include <algorithm>

#include "report/ir/ir_formulas.h"

namespace gpusan {
namespace {

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

std::optional<IrFormulas::Counter> IrFormulas::CounterOf(const IrInstruction& phi,
                                                         const ControlFlow::Loop& loop) {
  const std::optional<IrPhi> values = PhiOf(module_, phi);
  if (!values || values->type->kind != IrType::Kind::kInteger || values->edges.size() != 2)
    return std::nullopt;
  Counter counter;
  counter.name = phi.result;
  counter.bits = values->type->bits;
  for (const IrPhi::Edge& edge : values->edges) {
    const bool is_back = edge.from == function_.blocks[loop.latch].label;
    (is_back ? counter.next : counter.initial) = edge.value;
  }
  const IrInstruction* next = Definition(counter.next);
  if (counter.initial.empty() || next == nullptr || !loop.blocks[next->block] ||
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

// Knows loops in two forms: the only way out is a comparison after the body, and a condition in
// front of the loop is the same one for the first iteration; or the only way out is a comparison in
// the header. LLVM leaves the second form if the comparison contains a call.
void IrFormulas::FindLoop(const ControlFlow::Loop& flow) {
  if (loops_.size() >= static_cast<size_t>(kMaxLoopsOfFunction) || flow.exits.size() != 1 ||
      (flow.exits[0].first != flow.latch && flow.exits[0].first != flow.header))
    return;
  Loop loop;
  loop.flow = &flow;
  loop.header_tests = flow.exits[0].first != flow.latch;
  // The few numbers of loops are for the first form.
  if (loop.header_tests && flow_.loops().size() > static_cast<size_t>(kMaxLoopsOfFunction)) return;
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
  if (loop.header_tests) {
    loops_.push_back(std::move(loop));
    return;
  }
  Conditions in_front = Of(flow.header);
  conditions_.clear();
  if (!in_front.known || !Enter(loop, &in_front)) return;
  loops_.push_back(std::move(loop));
}

// The values with which a loop continues: those below the bound or above it, or also equal to it.
struct Continuation {
  bool below, equal, is_signed;
};

namespace {

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
  const uint32_t test = loop->header_tests ? flow.header : flow.latch;
  const IrInstruction* branch = EndOf(test);
  if (branch == nullptr || branch->op != "br" || function_.blocks[test].successors.size() != 2)
    return false;
  const bool continues = flow.blocks[function_.blocks[test].successors[0]];
  const std::optional<Comparison> comparison = ComparisonOf(*branch);
  if (!comparison) return false;
  const std::string_view left = comparison->left, right = comparison->right;
  // The comparison is of the counter's value in this iteration or in the next one.
  const bool of_next = left == counter.next || right == counter.next;
  const std::string_view compared = of_next ? counter.next : counter.name;
  if (left != compared && right != compared) return false;
  const bool swapped = left != compared;
  const std::optional<IrFormula> value = ValueOf(counter, number);
  if (!value) return false;
  const std::optional<IrFormula> step = Of(counter.step, counter.bits);
  const std::optional<Continuation> continuation = ContinuationOf(
      comparison->predicate, swapped, continues, ConstantOf(step->value), counter.subtracts);
  // A loop that begins beyond the bound may run.
  const bool is_equality = comparison->predicate == "eq" || comparison->predicate == "ne";
  if (!continuation || (is_equality && loop->header_tests)) return false;
  const std::optional<SummaryFormula> next =
      Add(value->value, step->value, counter.subtracts ? -1 : 1);
  if (!next) return false;
  loop->fits = value->fits;
  // No comparison in front of the loop has the first value.
  if (loop->header_tests)
    loop->fits.push_back(
        {value->value, static_cast<uint8_t>(counter.bits), continuation->is_signed});
  const std::string_view limit = swapped ? left : right;
  std::vector<std::string_view> limits = {limit};
  if (!Of(limit, counter.bits) && !is_equality)
    limits = OperandsOfExtreme(limit, continuation->below, continuation->is_signed);
  for (const std::string_view one : limits) {
    const std::optional<IrFormula> bound = Of(one, counter.bits);
    if (!bound || !AddBound(counter, value->value, *bound, of_next, *continuation, loop))
      return false;
  }
  if (loop->others.empty()) return false;
  // The number of iterations is the same for all work items, if one of the conditions says so.
  const auto is_uniform = [&](const SummaryGuard& guard) {
    return std::none_of(guard.value.begin(), guard.value.end(), [](const SummaryTerm& term) {
      return std::any_of(std::begin(term.symbols), std::end(term.symbols), [](uint16_t symbol) {
        return DiffersByItem(symbol) || symbol >= kPartOfFunction;
      });
    });
  };
  const auto chosen = std::find_if(loop->others.begin(), loop->others.end(), is_uniform);
  const size_t index =
      chosen == loop->others.end() ? 0 : static_cast<size_t>(chosen - loop->others.begin());
  loop->condition = loop->others[index];
  loop->first = loop->others_first[index];
  loop->others.erase(loop->others.begin() + static_cast<std::ptrdiff_t>(index));
  loop->others_first.erase(loop->others_first.begin() + static_cast<std::ptrdiff_t>(index));
  loop->fits.push_back({*next, static_cast<uint8_t>(counter.bits), continuation->is_signed});
  const std::optional<int64_t> first = ConstantOf(loop->first);
  loop->surely_first = first && *first < 0;
  return true;
}

bool IrFormulas::AddBound(const Counter& counter, const SummaryFormula& value, IrFormula bound,
                          bool of_next, const Continuation& continuation, Loop* loop) {
  const auto symbol = static_cast<uint16_t>(kLoop + loops_.size() - 1);
  const std::optional<IrFormula> step = Of(counter.step, counter.bits);
  if (!step || Names(bound.value, symbol)) return false;
  const auto [below, equal, is_signed] = continuation;
  Append(bound.fits, &loop->fits);
  loop->fits.push_back({bound.value, static_cast<uint8_t>(counter.bits), is_signed});
  // A comparison behind the body decides on the next iteration.
  if (of_next == loop->header_tests) {
    const bool back = loop->header_tests;
    const std::optional<SummaryFormula> moved =
        Add(bound.value, step->value, counter.subtracts != back ? -1 : 1);
    if (!moved) return false;
    bound.value = *moved;
  }
  std::optional<SummaryFormula> condition =
      below ? Add(value, bound.value, -1) : Add(bound.value, value, -1);
  if (condition && equal) condition = Add(*condition, ConstantFormula(1), -1);
  if (!condition) return false;
  SummaryFormula first;
  for (const SummaryTerm& term : *condition) {
    if (std::find(std::begin(term.symbols), std::end(term.symbols), symbol) ==
        std::end(term.symbols))
      first.push_back(term);
  }
  loop->others.push_back({*condition, SummaryGuard::Kind::kNegative});
  loop->others_first.push_back(std::move(first));
  return true;
}

void IrFormulas::AddIteration(const Loop& loop, Conditions* conditions) {
  conditions->guards.push_back(loop.condition);
  conditions->guards.insert(conditions->guards.end(), loop.others.begin(), loop.others.end());
  Append(loop.fits, &conditions->fits);
}

bool IrFormulas::Enter(const Loop& loop, Conditions* conditions) const {
  // Of an unsigned number n, LLVM compares n != 0 instead of 0 < n.
  const auto is_unsigned_count = [&](const SummaryGuard& guard, const SummaryFormula& first) {
    if (guard.kind != SummaryGuard::Kind::kNotZero) return false;
    for (const int sign : {1, -1}) {
      const auto count = Add({}, guard.value, sign), value = Add({}, guard.value, -sign);
      if (!count || !value || !DecidesFirst(*value, first)) continue;
      conditions->fits.push_back({*count, 64, false});
      return true;
    }
    return false;
  };
  const auto in_front = [&](const SummaryFormula& first) {
    return std::find_if(
        conditions->guards.begin(), conditions->guards.end(), [&](const SummaryGuard& guard) {
          const auto value = NegativeForm(guard);
          return value ? DecidesFirst(*value, first) : is_unsigned_count(guard, first);
        });
  };
  for (const SummaryFormula& first : loop.others_first) {
    const auto guard = in_front(first);
    if (guard == conditions->guards.end()) return false;
    conditions->guards.erase(guard);
  }
  const auto guard = in_front(loop.first);
  if (guard != conditions->guards.end()) {
    conditions->guards.erase(guard);
  } else if (!loop.surely_first && !IsEnteredWith(loop)) {
    return false;
  }
  AddIteration(loop, conditions);
  return true;
}

}  // namespace gpusan
