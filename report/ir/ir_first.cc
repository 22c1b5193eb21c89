// The first iterations of loops whose iterations are not known, and integers that fall below 0.
#include <algorithm>
#include <set>

#include "report/ir/ir_formulas.h"

namespace gpusan {

bool IrFormulas::AddValues(const ControlFlow::Loop& loop,
                           std::map<std::string_view, std::string_view>* initial,
                           std::map<std::string_view, std::string_view>* next) const {
  for (const IrInstruction& phi : function_.instructions) {
    if (phi.op != "phi" || phi.block != loop.header) continue;
    const std::optional<IrPhi> values = PhiOf(module_, phi);
    if (!values) return false;
    bool found = false;
    for (const IrPhi::Edge& edge : values->edges) {
      if (edge.from == function_.blocks[loop.latch].label) {
        (*next)[phi.result] = edge.value;
        continue;
      }
      if (found) return false;
      found = true;
      (*initial)[phi.result] = edge.value;
    }
  }
  return true;
}

std::optional<IrFormulas::Advance> IrFormulas::AdvanceOf(const IrInstruction& phi) const {
  for (size_t i = 0; i < loops_.size(); ++i) {
    if (loops_[i].flow->header != phi.block) continue;
    std::map<std::string_view, std::string_view> initial, next;
    if (!AddValues(*loops_[i].flow, &initial, &next) || initial.count(phi.result) == 0 ||
        next.count(phi.result) == 0)
      return std::nullopt;
    return Advance{static_cast<int>(i), initial[phi.result], next[phi.result]};
  }
  return std::nullopt;
}

// br i1 %again, label %header, label %exit, with %again = phi i1 [ true, ... ], [ false, %latch ]
std::vector<IrFormulas::Alternative> IrFormulas::DivideTwice(const IrInstruction& phi) {
  const auto loop =
      std::find_if(flow_.loops().begin(), flow_.loops().end(),
                   [&](const ControlFlow::Loop& one) { return one.header == phi.block; });
  if (loop == flow_.loops().end() || loop->exits.size() != 1 || loop->exits[0].first != loop->latch)
    return {};
  std::map<std::string_view, std::string_view> initial, next;
  if (!AddValues(*loop, &initial, &next)) return {};
  std::erase_if(next, [](const auto& one) { return one.second[0] == '%'; });
  const IrInstruction* branch = EndOf(loop->latch);
  if (branch == nullptr || branch->op != "br") return {};
  IrCursor cursor(branch->rest);
  module_.Type(cursor);
  const std::string_view again = cursor.Value();
  const bool by_true = function_.blocks[loop->latch].successors[0] == loop->header;
  const std::string_view yes = by_true ? "true" : "false", no = by_true ? "false" : "true";
  if (cursor.failed() || initial.count(again) == 0 || next.count(again) == 0 ||
      initial[again] != yes || next[again] != no || next.count(phi.result) == 0)
    return {};
  std::vector<Alternative> alternatives(2);
  for (const auto& [name, value] : next) {
    alternatives[0].values.emplace_back(name, initial[name]);
    alternatives[1].values.emplace_back(name, value);
  }
  for (Alternative& one : alternatives) one.conditions.known = true;
  return alternatives;
}

bool IrFormulas::AssumeFirst(uint32_t block) {
  constexpr size_t kMaxFirst = 16;
  if (!flow_.known()) return false;
  std::vector<const ControlFlow::Loop*> around;
  for (const ControlFlow::Loop& loop : flow_.loops()) {
    const bool is_known = std::any_of(loops_.begin(), loops_.end(),
                                      [&](const Loop& one) { return one.flow == &loop; });
    if (loop.blocks[block] && !is_known) around.push_back(&loop);
  }
  if (around.empty()) return false;
  std::map<std::string_view, std::string_view> values, next;
  for (const ControlFlow::Loop* loop : around) {
    if (!AddValues(*loop, &values, &next)) return false;
  }
  auto paths = paths_of_first_.find(around.back());
  if (paths == paths_of_first_.end()) {
    if (paths_of_first_.size() >= kMaxFirst) return false;
    // Each back edge of the loops becomes one to a new end.
    std::vector<std::vector<uint32_t>> successors;
    for (const IrBlock& one : function_.blocks) successors.push_back(one.successors);
    const auto end = static_cast<uint32_t>(successors.size());
    for (const ControlFlow::Loop* loop : around) {
      std::vector<uint32_t>& last = successors[loop->latch];
      std::replace(last.begin(), last.end(), loop->header, end);
    }
    successors.emplace_back();
    paths = paths_of_first_.emplace(around.back(), ControlFlow(std::move(successors))).first;
  }
  if (!paths->second.known()) return false;
  first_paths_ = &paths->second;
  assumed_.push_back(std::move(values));
  computed_.clear();
  conditions_.clear();
  return true;
}

void IrFormulas::WithdrawFirst() {
  first_paths_ = nullptr;
  Withdraw();
}

IrFormulas::Conditions IrFormulas::AssumeWrapped(std::string_view value) {
  constexpr size_t kMaxVisited = 64;
  constexpr int64_t kEnd = int64_t{1} << 32;
  std::vector<std::string_view> open = {value};
  std::set<std::string_view> visited;
  while (!open.empty() && visited.size() < kMaxVisited) {
    const std::string_view name = Assumed(open.back());
    open.pop_back();
    const IrInstruction* definition = Definition(name);
    if (definition == nullptr || definition->op == "phi" || definition->op == "load" ||
        definition->op == "call" || !visited.insert(name).second)
      continue;
    if (definition->op == "zext") {
      IrCursor cursor(definition->rest);
      const IrType* from = module_.Type(cursor);
      const std::string_view operand = cursor.Value();
      if (cursor.failed() || from->kind != IrType::Kind::kInteger || from->bits != 32) continue;
      const std::optional<IrFormula> below = Of(operand, from->bits);
      if (!below || std::none_of(below->value.begin(), below->value.end(),
                                 [](const SummaryTerm& term) { return term.factor < 0; }))
        continue;
      const std::optional<SummaryFormula> wrapped = Add(below->value, ConstantFormula(kEnd), 1);
      if (!wrapped) continue;
      wrapped_ = name;
      wrapped_formula_.value = *wrapped;
      wrapped_formula_.fits = below->fits;
      wrapped_formula_.fits.push_back({*wrapped, 32, false});
      wrapped_formula_.bits = 64;
      computed_.clear();
      conditions_.clear();
      Conditions conditions;
      conditions.known = true;
      conditions.guards.push_back({below->value, SummaryGuard::Kind::kNegative});
      conditions.fits = below->fits;
      return conditions;
    }
    for (const std::string_view one : LocalNames(definition->rest)) open.push_back(one);
  }
  return {};
}

void IrFormulas::WithdrawWrapped() {
  wrapped_ = {};
  computed_.clear();
  conditions_.clear();
}

}  // namespace gpusan
