// Numbers that a kernel derives from numbers of the launch by divisions, shifts and masks.
#include <algorithm>
#include <cstdint>

#include "report/kernels/ir_formulas.h"

namespace gpusan {
namespace {

constexpr size_t kMaxDerived = 32;

// Whether all work items of a launch, in all iterations, have the same value.
bool IsUniform(const SummaryFormula& formula) {
  return std::all_of(formula.begin(), formula.end(), [](const SummaryTerm& term) {
    return std::all_of(std::begin(term.symbols), std::end(term.symbols), [](uint16_t symbol) {
      return symbol == kNoSymbol ||
             (symbol >= kGlobalSize && (symbol < kLoop || symbol >= kArgument));
    });
  });
}

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

std::optional<IrFormula> IrFormulas::Division(const IrInstruction& instruction, uint32_t bits) {
  IrCursor cursor(instruction.rest);
  const std::string_view op = instruction.op;
  cursor.Take("exact");
  const auto operands = Operands(&cursor, bits);
  if (!operands) return std::nullopt;
  return Derive(
      op.ends_with("div") ? DerivedNumber::Kind::kQuotient : DerivedNumber::Kind::kRemainder,
      op[0] == 's', operands->first, operands->second);
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

bool IrFormulas::DecidesFirst(const SummaryFormula& value, const Loop& loop) const {
  const auto equal = [&](const SummaryFormula& other) {
    const std::optional<SummaryFormula> difference = Add(value, other, -1);
    return difference && difference->empty();
  };
  // LLVM drops a constant factor: 0 < 4 * n exactly if 0 < n, and 0 <= 2 * r exactly if 0 <= r.
  if (IsMultiple(loop.first, value)) return true;
  const auto next = [](const SummaryFormula& formula) {
    return Add(formula, ConstantFormula(1), 1);
  };
  if (const auto multiple = next(loop.first), single = next(value);
      multiple && single && IsMultiple(*multiple, *single))
    return true;
  // LLVM compares the dividend with the divisor: 0 < n / 4 exactly if 3 - n < 0.
  if (loop.first.size() != 1 || loop.first[0].factor != -1 || loop.first[0].symbols[1] != kNoSymbol)
    return false;
  const size_t index =
      static_cast<size_t>(loop.first[0].symbols[0]) - kArgument - function_.parameters.size();
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
           DecidesFirst(around.first, loop);
  });
}

}  // namespace gpusan
