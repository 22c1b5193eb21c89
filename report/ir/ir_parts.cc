// Quotients, remainders and exclusive ors of numbers that differ between work items.
#include <algorithm>

#include "report/ir/ir_formulas.h"

namespace gpusan {
namespace {

using Kind = SummaryPart::Kind;

constexpr size_t kMaxParts = 24;

// Returns the formula with `replacement` in the place of the symbol; nullopt if it is too long.
std::optional<SummaryFormula> Replaced(const SummaryFormula& formula, uint16_t symbol,
                                       const SummaryFormula& replacement) {
  SummaryFormula result;
  for (SummaryTerm term : formula) {
    const auto count = std::count(std::begin(term.symbols), std::end(term.symbols), symbol);
    if (count > 1) return std::nullopt;
    SummaryFormula replaced = {term};
    if (count == 1) {
      *std::remove(std::begin(term.symbols), std::end(term.symbols), symbol) = kNoSymbol;
      const std::optional<SummaryFormula> product = Multiply({term}, replacement);
      if (!product) return std::nullopt;
      replaced = *product;
    }
    const std::optional<SummaryFormula> sum = Add(result, replaced, 1);
    if (!sum) return std::nullopt;
    result = *sum;
  }
  return result;
}

// Returns what the symbol is multiplied with; nullopt if the symbol has a power.
std::optional<SummaryFormula> FactorOf(const SummaryFormula& formula, uint16_t symbol) {
  const std::optional<SummaryFormula> without = Replaced(formula, symbol, {});
  if (!without) return std::nullopt;
  const std::optional<SummaryFormula> with = Replaced(formula, symbol, ConstantFormula(1));
  return with ? Add(*with, *without, -1) : std::nullopt;
}

bool Equal(const SummaryFormula& a, const SummaryFormula& b) {
  const std::optional<SummaryFormula> difference = Add(a, b, -1);
  return difference && difference->empty();
}

// Returns a / b, for a quotient without a rest of formulas with one term each.
std::optional<SummaryFormula> Ratio(const SummaryFormula& a, const SummaryFormula& b) {
  if (a.size() != 1 || b.size() != 1 || a[0].factor % b[0].factor != 0) return std::nullopt;
  SummaryTerm ratio = a[0];
  ratio.factor /= b[0].factor;
  for (const uint16_t symbol : b[0].symbols) {
    if (symbol == kNoSymbol) continue;
    auto* const at = std::find(std::begin(ratio.symbols), std::end(ratio.symbols), symbol);
    if (at == std::end(ratio.symbols)) return std::nullopt;
    std::copy(at + 1, std::end(ratio.symbols), at);
    ratio.symbols[SummaryTerm::kMaxSymbols - 1] = kNoSymbol;
  }
  return SummaryFormula{ratio};
}

uint16_t SymbolOf(size_t part) { return static_cast<uint16_t>(kPartOfFunction + part); }

}  // namespace

std::optional<size_t> IrFormulas::PartIndex(Kind kind, const SummaryFormula& of,
                                            const SummaryFormula& by) {
  for (size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].kind == kind && Equal(parts_[i].of, of) && Equal(parts_[i].by, by)) return i;
  }
  if (parts_.size() >= kMaxParts) return std::nullopt;
  SummaryPart& part = parts_.emplace_back();
  part.kind = kind;
  part.of = of;
  part.by = by;
  return parts_.size() - 1;
}

std::optional<IrFormula> IrFormulas::DerivePart(Kind kind, bool is_signed, const IrFormula& of,
                                                const IrFormula& by) {
  if (!IsUniform(by.value) || IsUniform(of.value)) return std::nullopt;
  const SummaryFormula source = Canonical(of.value);
  const std::optional<size_t> part = PartIndex(kind, source, by.value);
  if (!part) return std::nullopt;
  IrFormula result;
  result.bits = of.bits;
  result.value = SymbolFormula(SymbolOf(*part));
  result.fits = of.fits;
  Append(by.fits, &result.fits);
  for (const IrFormula* operand : {&of, &by}) {
    if (!ConstantOf(operand->value))
      result.fits.push_back({operand->value, static_cast<uint8_t>(of.bits), is_signed});
  }
  return result;
}

SummaryFormula IrFormulas::Canonical(SummaryFormula formula) {
  for (int i = 0; i < 3 && !parts_.empty(); ++i) {
    SummaryFormula next = Resolved(formula);
    if (next == formula) break;
    formula = std::move(next);
  }
  return formula;
}

SummaryFormula IrFormulas::Resolved(SummaryFormula formula) {
  for (size_t i = parts_.size(); i-- > 0;) {
    const SummaryPart part = parts_[i];
    if (part.kind == Kind::kXor || !Names(formula, SymbolOf(i))) continue;
    // A quotient of a product is one of a quotient.
    for (size_t j = 0; part.kind == Kind::kQuotient && j < parts_.size(); ++j) {
      const SummaryPart other = parts_[j];
      const std::optional<SummaryFormula> ratio = Ratio(part.by, other.by);
      if (other.kind != Kind::kQuotient || !Equal(other.of, part.of) || !ratio || j == i) continue;
      const std::optional<size_t> twice =
          PartIndex(Kind::kQuotient, SymbolFormula(SymbolOf(j)), *ratio);
      const auto replaced =
          twice ? Replaced(formula, SymbolOf(i), SymbolFormula(SymbolOf(*twice))) : std::nullopt;
      if (!replaced) continue;
      formula = *replaced;
      break;
    }
    if (!Names(formula, SymbolOf(i))) continue;
    const std::optional<size_t> quotient = PartIndex(Kind::kQuotient, part.of, part.by);
    const std::optional<size_t> remainder = PartIndex(Kind::kRemainder, part.of, part.by);
    if (!quotient || !remainder) continue;
    const uint16_t high = SymbolOf(*quotient), low = SymbolOf(*remainder);
    // of = by * quotient + remainder
    for (const SummaryTerm& term : part.of) {
      const uint16_t symbol = term.symbols[0];
      const bool single = term.symbols[1] == kNoSymbol && (term.factor == 1 || term.factor == -1);
      if (symbol == kNoSymbol || !single || IsUniform({term}) || !Names(formula, symbol)) continue;
      const std::optional<SummaryFormula> rest = Add(part.of, {term}, -1);
      std::optional<SummaryFormula> sum = Multiply(part.by, SymbolFormula(high));
      if (sum) sum = Add(*sum, SymbolFormula(low), 1);
      if (sum && rest) sum = Add(*sum, *rest, -1);
      if (sum) sum = Add({}, *sum, term.factor);
      if (!sum || Names(*sum, symbol)) continue;
      if (const auto replaced = Replaced(formula, symbol, *sum)) formula = *replaced;
      break;
    }
    // The reverse, where both have the factors of a sum.
    const auto high_factor = FactorOf(formula, high), low_factor = FactorOf(formula, low);
    if (!high_factor || !low_factor || low_factor->empty()) continue;
    const std::optional<SummaryFormula> product = Multiply(*low_factor, part.by);
    if (!product || !Equal(*product, *high_factor)) continue;
    std::optional<SummaryFormula> whole = Replaced(formula, high, {});
    if (whole) whole = Replaced(*whole, low, {});
    const std::optional<SummaryFormula> added = Multiply(*low_factor, part.of);
    if (whole && added) whole = Add(*whole, *added, 1);
    if (whole && added) formula = *whole;
  }
  return formula;
}

}  // namespace gpusan
