// Values that are one of several, by a condition.
#include <algorithm>
#include <set>

#include "report/ir/ir_builtins.h"
#include "report/ir/ir_formulas.h"

namespace gpusan {
namespace {

constexpr size_t kMaxAlternatives = 4;
constexpr size_t kMaxVisited = 64;

// The instructions through which an address depends on a value.
bool PassesValue(std::string_view op) {
  for (const std::string_view one :
       {"getelementptr", "bitcast", "addrspacecast", "freeze", "add",   "sub",
        "mul",           "shl",     "ashr",          "lshr",   "or",    "and",
        "xor",           "sdiv",    "udiv",          "srem",   "urem",  "sext",
        "zext",          "trunc",   "call",          "phi",    "select"}) {
    if (op == one) return true;
  }
  return false;
}

}  // namespace

std::vector<IrFormulas::Alternative> IrFormulas::AlternativesOf(std::string_view value,
                                                                uint32_t block) {
  std::vector<std::string_view> open = {value};
  std::set<std::string_view> visited;
  while (!open.empty() && visited.size() < kMaxVisited) {
    const std::string_view name = Assumed(open.back());
    open.pop_back();
    const IrInstruction* definition = Definition(name);
    if (definition == nullptr || !PassesValue(definition->op) || !visited.insert(name).second)
      continue;
    std::vector<Alternative> alternatives = Divide(*definition);
    const bool usable = alternatives.size() > 1 &&
                        std::all_of(alternatives.begin(), alternatives.end(),
                                    [](const Alternative& one) { return one.conditions.known; });
    // The value of the last iteration of a loop is not known behind it.
    const bool inside =
        std::all_of(flow_.loops().begin(), flow_.loops().end(), [&](const ControlFlow::Loop& loop) {
          return !loop.blocks[definition->block] || loop.blocks[block];
        });
    if (usable && inside) return alternatives;
    if (!alternatives.empty() || definition->op == "phi" || definition->op == "select") continue;
    for (const std::string_view one : LocalNames(definition->rest)) open.push_back(one);
  }
  return {};
}

std::vector<IrFormulas::Alternative> IrFormulas::Divide(const IrInstruction& instruction) {
  if (!flow_.known()) return {};
  if (instruction.op == "phi") return DividePhi(instruction);
  if (instruction.op == "call") return DivideExtreme(instruction);
  std::string_view yes = "1", no = "0";
  IrCursor cursor(instruction.rest);
  const bool is_select = instruction.op == "select";
  if (!is_select && instruction.op != "zext" && instruction.op != "sext") return {};
  cursor.SkipAttributes();
  const IrType* type = module_.Type(cursor);
  const std::string_view condition = cursor.Value();
  if (cursor.failed() || type->kind != IrType::Kind::kInteger || type->bits != 1) return {};
  if (is_select) {
    if (!cursor.Take(",")) return {};
    module_.Type(cursor);
    yes = cursor.Value();
    if (!cursor.Take(",")) return {};
    module_.Type(cursor);
    no = cursor.Value();
    if (cursor.failed()) return {};
  } else if (instruction.op == "sext") {
    yes = "-1";
  }
  std::vector<Alternative> alternatives(2);
  for (const bool wanted : {true, false}) {
    Alternative& one = alternatives[wanted ? 0 : 1];
    one.values = {{instruction.result, wanted ? yes : no}};
    one.conditions.known = AddGuards(condition, wanted, &one.conditions, 0);
  }
  return alternatives;
}

std::vector<IrFormulas::Alternative> IrFormulas::DividePhi(const IrInstruction& phi) {
  std::vector<Alternative> alternatives = DivideTwice(phi);
  if (!alternatives.empty()) return alternatives;
  // All values of the block depend on the same edge.
  for (const IrInstruction& instruction : function_.instructions) {
    if (instruction.op != "phi" || instruction.block != phi.block) continue;
    const std::optional<IrPhi> values = PhiOf(module_, instruction);
    if (!values) return {};
    for (const IrPhi::Edge& edge : values->edges) {
      const auto from = std::find_if(function_.blocks.begin(), function_.blocks.end(),
                                     [&](const IrBlock& one) { return one.label == edge.from; });
      uint32_t number = 0;
      if (from != function_.blocks.end()) {
        number = static_cast<uint32_t>(from - function_.blocks.begin());
      } else if (!function_.blocks[0].label.empty()) {
        return {};
      }
      // An edge back to the head of a loop.
      if (Dominates(phi.block, number)) return {};
      auto same = std::find_if(alternatives.begin(), alternatives.end(),
                               [&](const Alternative& one) { return one.from == number; });
      if (same == alternatives.end()) {
        if (alternatives.size() == kMaxAlternatives) return {};
        same = alternatives.emplace(alternatives.end());
        same->from = number;
        same->block = phi.block;
        same->conditions = AlongEdge(number, phi.block);
      }
      same->values.emplace_back(instruction.result, edge.value);
    }
  }
  return alternatives;
}

IrFormulas::Conditions IrFormulas::AlongEdge(uint32_t from, uint32_t to) {
  Conditions conditions = Of(from);
  const std::vector<uint32_t>& successors = flow_.successors(from);
  const auto count = std::count(successors.begin(), successors.end(), to);
  if (!conditions.known || count != 1) return {};
  if (successors.size() == 1) return conditions;
  const IrInstruction* branch = EndOf(from);
  const auto side = std::find(successors.begin(), successors.end(), to) - successors.begin();
  conditions.known =
      branch != nullptr && AddSide(*branch, static_cast<uint32_t>(side), &conditions);
  return conditions;
}

std::vector<IrFormulas::Alternative> IrFormulas::DivideExtreme(const IrInstruction& call) {
  const IntegerCall integers = IntegerCallOf(call);
  const std::optional<Extreme> extreme = ExtremeOf(integers.function);
  Extreme clamp;
  const bool clamps = IsClamp(integers.function, &clamp.is_signed);
  if (integers.operands.size() != (clamps ? 3 : 2) || (!extreme && !clamps)) return {};
  const bool is_signed = clamps ? clamp.is_signed : extreme->is_signed;
  std::vector<IrFormula> formulas;
  for (const std::string_view value : integers.operands) {
    std::optional<IrFormula> formula = Of(value, integers.bits);
    if (!formula) return {};
    formulas.push_back(*std::move(formula));
  }
  Conditions common;
  common.known = true;
  for (const IrFormula& formula : formulas) {
    Append(formula.fits, &common.fits);
    common.fits.push_back({formula.value, static_cast<uint8_t>(formula.bits), is_signed});
  }
  std::vector<Alternative> alternatives;
  // The result is the operand `value` if it is below, or not below, others.
  const auto add = [&](size_t value, const std::vector<std::pair<size_t, bool>>& others) {
    Alternative& one = alternatives.emplace_back();
    one.values = {{call.result, integers.operands[value]}};
    one.conditions = common;
    for (const auto& [other, kind] : others) {
      const std::optional<SummaryFormula> difference =
          Add(formulas[0].value, formulas[other].value, -1);
      if (!difference) return false;
      one.conditions.guards.push_back(
          {*difference, kind ? SummaryGuard::Kind::kNegative : SummaryGuard::Kind::kNotNegative});
    }
    return true;
  };
  if (clamps) {
    // The value is below the least one, not below the greatest one, or between them.
    if (!add(1, {{1, true}}) || !add(2, {{2, false}}) || !add(0, {{1, false}, {2, true}}))
      return {};
  } else if (!add(0, {{1, extreme->is_min}}) || !add(1, {{1, !extreme->is_min}})) {
    return {};
  }
  return alternatives;
}

}  // namespace gpusan
