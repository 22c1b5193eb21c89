// Arithmetic of the formulas in kernel summaries.
#include "tracker/model/summary_formulas.h"

#include <algorithm>
#include <map>
#include <vector>

namespace gpusan {
namespace {

constexpr size_t kMaxTerms = 12;

bool Same(const SummaryTerm& a, const SummaryTerm& b) {
  return std::equal(std::begin(a.symbols), std::end(a.symbols), std::begin(b.symbols));
}

}  // namespace

SummaryFormula ConstantFormula(int64_t number) {
  if (number == 0) return {};
  SummaryTerm term;
  term.factor = number;
  return {term};
}

SummaryFormula SymbolFormula(int symbol) {
  SummaryTerm term;
  term.factor = 1;
  term.symbols[0] = static_cast<uint16_t>(symbol);
  return {term};
}

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

std::optional<SummaryFormula> Multiply(const SummaryFormula& a, const SummaryFormula& b) {
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

std::optional<int64_t> ConstantOf(const SummaryFormula& formula) {
  if (formula.empty()) return 0;
  if (formula.size() == 1 && formula[0].symbols[0] == kNoSymbol) return formula[0].factor;
  return std::nullopt;
}

int ZeroBits(const SummaryFormula& formula) {
  int zeros = 63;
  for (const SummaryTerm& term : formula)
    zeros = std::min(zeros, __builtin_ctzll(static_cast<unsigned long long>(term.factor)));
  return zeros;
}

bool Names(const SummaryFormula& formula, uint16_t symbol) {
  return std::any_of(formula.begin(), formula.end(), [&](const SummaryTerm& term) {
    return std::find(std::begin(term.symbols), std::end(term.symbols), symbol) !=
           std::end(term.symbols);
  });
}

namespace {

// Marks the parts that the formula names, and those that they name.
void MarkParts(const SummaryFormula& formula, const std::vector<SummaryPart>& parts,
               std::vector<bool>* marked) {
  for (const SummaryTerm& term : formula) {
    for (const uint16_t symbol : term.symbols) {
      const size_t index = static_cast<size_t>(symbol) - kPartOfFunction;
      if (symbol < kPartOfFunction || index >= parts.size() || (*marked)[index]) continue;
      (*marked)[index] = true;
      MarkParts(parts[index].of, parts, marked);
    }
  }
}

}  // namespace

void NumberLoops(const std::function<bool(int)>& is_around, SummaryAccess* access,
                 const std::vector<SummaryPart>& parts) {
  std::map<uint16_t, uint16_t> numbers;
  bool possible = true;
  if (!parts.empty()) {
    std::vector<bool> marked(parts.size());
    for (const SummaryGuard& guard : access->guards) MarkParts(guard.value, parts, &marked);
    for (const SummaryFit& fit : access->fits) MarkParts(fit.value, parts, &marked);
    for (const SummaryFit& fit : access->offset_fits) MarkParts(fit.value, parts, &marked);
    MarkParts(access->offset, parts, &marked);
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!marked[i]) continue;
      const auto next = static_cast<uint16_t>(kLoop + numbers.size());
      numbers.emplace(static_cast<uint16_t>(kPartOfFunction + i), next);
      possible &= IsLoop(next);
      access->parts.push_back(parts[i]);
    }
  }
  const auto number = [&](SummaryFormula* formula) {
    for (SummaryTerm& term : *formula) {
      for (uint16_t& symbol : term.symbols) {
        if (symbol >= kPartOfFunction) {
          const auto part = numbers.find(symbol);
          possible &= part != numbers.end();
          if (part != numbers.end()) symbol = part->second;
          continue;
        }
        if (symbol < kLoop || symbol >= kArgument) continue;
        possible &= is_around(symbol - kLoop);
        const auto next = static_cast<uint16_t>(kLoop + numbers.size());
        symbol = numbers.emplace(symbol, next).first->second;
        possible &= IsLoop(symbol);
      }
      std::sort(std::begin(term.symbols), std::end(term.symbols),
                [](uint16_t a, uint16_t b) { return a != kNoSymbol && (b == kNoSymbol || a < b); });
    }
  };
  // Guards first: they have the loops in order.
  for (SummaryGuard& guard : access->guards) number(&guard.value);
  for (SummaryFit& fit : access->fits) number(&fit.value);
  for (SummaryFit& fit : access->offset_fits) number(&fit.value);
  number(&access->offset);
  for (SummaryPart& part : access->parts) number(&part.of);
  if (possible) return;
  access->parts.clear();
  access->guarded = access->ranged = false;
  access->guards.clear();
  access->fits.clear();
  access->offset_fits.clear();
  access->offset.clear();
}

}  // namespace gpusan
