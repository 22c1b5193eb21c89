// Integer values as formulas, and the conditions of blocks.
#include "report/kernels/ir_formulas.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace gpusan {
namespace {

constexpr size_t kMaxTerms = 12;
constexpr size_t kMaxFits = 24;
constexpr size_t kMaxGuards = 16;
constexpr size_t kMaxBlocks = 600;
constexpr int kMaxDepth = 200;

SummaryFormula Constant(int64_t number) {
  if (number == 0) return {};
  SummaryTerm term;
  term.factor = number;
  return {term};
}

SummaryFormula Symbol(int symbol) {
  SummaryTerm term;
  term.factor = 1;
  term.symbols[0] = static_cast<uint16_t>(symbol);
  return {term};
}

bool Same(const SummaryTerm& a, const SummaryTerm& b) {
  return std::equal(std::begin(a.symbols), std::end(a.symbols), std::begin(b.symbols));
}

std::optional<SummaryFormula> Product(const SummaryFormula& a, const SummaryFormula& b) {
  SummaryFormula product;
  for (const SummaryTerm& left : a) {
    for (const SummaryTerm& right : b) {
      SummaryTerm term;
      std::vector<uint16_t> symbols;
      for (const SummaryTerm* one : {&left, &right}) {
        for (const uint16_t symbol : one->symbols) {
          if (symbol != kNoSymbol) symbols.push_back(symbol);
        }
      }
      if (symbols.size() > SummaryTerm::kMaxSymbols ||
          __builtin_mul_overflow(left.factor, right.factor, &term.factor))
        return std::nullopt;
      std::sort(symbols.begin(), symbols.end());
      std::copy(symbols.begin(), symbols.end(), term.symbols);
      const std::optional<SummaryFormula> sum = Add(product, {term}, 1);
      if (!sum) return std::nullopt;
      product = *sum;
    }
  }
  return product;
}

// The number of low bits that are 0 in all values of the formula.
int ZeroBits(const SummaryFormula& formula) {
  int zeros = 63;
  for (const SummaryTerm& term : formula)
    zeros = std::min(zeros, __builtin_ctzll(static_cast<unsigned long long>(term.factor)));
  return zeros;
}

std::optional<int64_t> ConstantOf(const SummaryFormula& formula) {
  if (formula.empty()) return 0;
  if (formula.size() == 1 && formula[0].symbols[0] == kNoSymbol) return formula[0].factor;
  return std::nullopt;
}

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

}  // namespace

std::optional<SummaryFormula> Add(const SummaryFormula& a, const SummaryFormula& b,
                                  int64_t factor) {
  SummaryFormula sum = a;
  for (SummaryTerm term : b) {
    if (__builtin_mul_overflow(term.factor, factor, &term.factor)) return std::nullopt;
    const auto same = std::find_if(sum.begin(), sum.end(),
                                   [&](const SummaryTerm& other) { return Same(term, other); });
    if (same == sum.end()) {
      sum.push_back(term);
    } else if (__builtin_add_overflow(same->factor, term.factor, &same->factor)) {
      return std::nullopt;
    }
  }
  std::erase_if(sum, [](const SummaryTerm& term) { return term.factor == 0; });
  if (sum.size() > kMaxTerms) return std::nullopt;
  return sum;
}

IrFormulas::IrFormulas(IrModule& module, const IrFunction& function)
    : module_(module), function_(function) {
  for (const IrInstruction& instruction : function.instructions) {
    if (!instruction.result.empty()) definitions_[instruction.result] = &instruction;
  }
  for (size_t i = 0; i < function.parameters.size(); ++i)
    parameters_[function.parameters[i].name] = i;
  FindDominance();
}

const IrInstruction* IrFormulas::Definition(std::string_view value) const {
  const auto it = definitions_.find(value);
  return it == definitions_.end() ? nullptr : it->second;
}

std::optional<IrFormula> IrFormulas::Of(std::string_view value, uint32_t bits) {
  IrFormula formula;
  formula.bits = bits;
  if (value.empty() || bits < 8 || bits > 64) return std::nullopt;
  if (value[0] != '%') {
    int64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size()) return std::nullopt;
    formula.value = Constant(number);
    return formula;
  }
  if (const auto it = parameters_.find(value); it != parameters_.end()) {
    const IrType& type = *function_.parameters[it->second].type;
    if (type.kind != IrType::Kind::kInteger || type.bits != bits || it->second > 1000)
      return std::nullopt;
    formula.value = Symbol(kArgument + static_cast<int>(it->second));
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

std::optional<IrFormula> IrFormulas::Compute(const IrInstruction& instruction, uint32_t bits) {
  IrCursor cursor(instruction.rest);
  const std::string_view op = instruction.op;
  IrFormula result;
  result.bits = bits;
  if (op == "call") {
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
    result.value = Symbol(symbol + static_cast<int>(dimension));
    return result;
  }
  if (op == "phi") {
    const IrType* type = module_.Type(cursor);
    if (type->bits != bits || !cursor.Take("[")) return std::nullopt;
    const std::string_view only = cursor.Value();
    if (!cursor.Take(",")) return std::nullopt;
    cursor.Value();
    if (!cursor.Take("]") || !cursor.AtEnd() || cursor.failed()) return std::nullopt;
    return Of(only, bits);
  }
  if (op == "trunc" || op == "sext" || op == "zext" || op == "freeze") {
    while (cursor.Take("nuw") || cursor.Take("nsw") || cursor.Take("nneg")) {
    }
    const IrType* from = module_.Type(cursor);
    const std::string_view operand = cursor.Value();
    if (cursor.failed() || from->kind != IrType::Kind::kInteger) return std::nullopt;
    std::optional<IrFormula> value = Of(operand, from->bits);
    if (!value) return std::nullopt;
    if (op == "sext" || op == "zext") {
      value->fits.push_back({value->value, static_cast<uint8_t>(from->bits), op == "sext"});
    }
    value->bits = bits;
    return value;
  }
  if (op == "shl" || op == "ashr" || op == "lshr") return Shift(instruction, bits);
  if (op != "add" && op != "sub" && op != "mul" && op != "or" && op != "and") return std::nullopt;
  while (cursor.Take("nuw") || cursor.Take("nsw")) {
  }
  const bool disjoint = cursor.Take("disjoint");
  const IrType* type = module_.Type(cursor);
  const std::string_view first = cursor.Value();
  if (!cursor.Take(",") || type->kind != IrType::Kind::kInteger || type->bits != bits)
    return std::nullopt;
  const std::string_view second = cursor.Value();
  if (cursor.failed()) return std::nullopt;
  const std::optional<IrFormula> a = Of(first, bits);
  const std::optional<IrFormula> b = Of(second, bits);
  if (!a || !b) return std::nullopt;
  result.fits = a->fits;
  Append(b->fits, &result.fits);
  std::optional<SummaryFormula> value;
  if (op == "add") {
    value = Add(a->value, b->value, 1);
  } else if (op == "sub") {
    value = Add(a->value, b->value, -1);
  } else if (op == "mul") {
    value = Product(a->value, b->value);
  } else if (const std::optional<int64_t> number = ConstantOf(b->value); op == "or") {
    // An addition where no bit is set on both sides.
    if (disjoint || (number && *number >= 0 && (*number >> ZeroBits(a->value)) == 0))
      value = Add(a->value, b->value, 1);
  } else if (number && *number > 0 && (*number & (*number + 1)) == 0) {
    // The low bits: the value itself if it has no others.
    result.fits.push_back(
        {a->value, static_cast<uint8_t>(__builtin_popcountll(static_cast<uint64_t>(*number))),
         false});
    value = a->value;
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

// --- Conditions

void IrFormulas::FindDominance() {
  const size_t count = function_.blocks.size();
  if (count > kMaxBlocks) return;
  std::vector<std::vector<uint32_t>> before(count), after(count);
  for (uint32_t from = 0; from < count; ++from) {
    for (const uint32_t to : function_.blocks[from].successors) {
      after[from].push_back(to);
      before[to].push_back(from);
    }
  }
  // One fixed point for both directions; sets[b][a]: each path from a root to b passes a.
  const auto solve = [&](const std::vector<std::vector<uint32_t>>& edges,
                         const std::vector<bool>& root) {
    std::vector<std::vector<bool>> sets(count, std::vector<bool>(count, true));
    for (size_t b = 0; b < count; ++b) {
      if (!root[b]) continue;
      sets[b].assign(count, false);
      sets[b][b] = true;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t b = 0; b < count; ++b) {
        if (root[b]) continue;
        std::vector<bool> meet(count, true);
        for (const uint32_t from : edges[b]) {
          for (size_t a = 0; a < count; ++a) meet[a] = meet[a] && sets[from][a];
        }
        meet[b] = true;
        if (meet != sets[b]) {
          sets[b] = std::move(meet);
          changed = true;
        }
      }
    }
    return sets;
  };
  std::vector<bool> entry(count, false), end(count, false);
  entry[0] = true;
  for (size_t b = 0; b < count; ++b) end[b] = after[b].empty();
  dominates_ = solve(before, entry);
  follows_ = solve(after, end);
}

const IrFormulas::Conditions& IrFormulas::Of(uint32_t block) {
  if (const auto it = conditions_.find(block); it != conditions_.end()) return it->second;
  Conditions& result = conditions_[block];  // not known, also for conditions in a circle
  if (dominates_.empty()) return result;
  // The branches that decide whether the block runs: the block follows one side of them only. A
  // branch behind the block decides only whether it runs again.
  const IrInstruction* decides = nullptr;
  bool side = false;
  for (const IrInstruction& branch : function_.instructions) {
    const IrBlock& from = function_.blocks[branch.block];
    if (from.ends_oddly) return result;
    if ((branch.op != "br" && branch.op != "switch") || from.successors.size() < 2) continue;
    if (dominates_[branch.block][block]) continue;
    if (follows_[branch.block][block]) continue;
    for (size_t i = 0; i < from.successors.size(); ++i) {
      if (!follows_[from.successors[i]][block]) continue;
      if (decides != nullptr || branch.op != "br") return result;
      decides = &branch;
      side = i == 0;
    }
  }
  Conditions found;
  found.known = true;
  if (decides != nullptr) {
    found = Of(decides->block);
    IrCursor cursor(decides->rest);
    if (found.known) {
      module_.Type(cursor);
      const std::string_view condition = cursor.Value();
      found.known = !cursor.failed() && AddGuards(condition, side, &found, 0) &&
                    found.guards.size() <= kMaxGuards && found.fits.size() <= kMaxFits;
    }
    if (!found.known) found = {};
  } else if (block != 0 && !follows_[0][block]) {
    found = {};  // not reached from the entry
  }
  conditions_[block] = found;
  return conditions_[block];
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
