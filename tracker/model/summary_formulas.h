// Arithmetic of the formulas in kernel summaries, for the producers of summaries.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "tracker/model/kernel_summary.h"

namespace gpusan {

// kLoop + n is the number of the iteration, from 0 on, of one of the loops around an access. The
// first guard of the access that names the loop is the condition of the loop: the iteration runs
// if, and only if, it holds. Loops are numbered from the outermost one.
inline constexpr uint16_t kLoop = 22;
inline constexpr int kMaxLoops = 4;
constexpr bool IsLoop(uint16_t symbol) { return symbol >= kLoop && symbol < kLoop + kMaxLoops; }

SummaryFormula ConstantFormula(int64_t number);
SummaryFormula SymbolFormula(int symbol);

// The sum of two formulas, the second multiplied by `factor`. Empty if it is too long.
std::optional<SummaryFormula> Add(const SummaryFormula& a, const SummaryFormula& b, int64_t factor);
// The product. Empty if it is too long, or has too many symbols in a term.
std::optional<SummaryFormula> Multiply(const SummaryFormula& a, const SummaryFormula& b);

// The value of a formula without symbols.
std::optional<int64_t> ConstantOf(const SummaryFormula& formula);
// The number of low bits that are 0 in all values of the formula.
int ZeroBits(const SummaryFormula& formula);
// Whether the formula names the symbol.
bool Names(const SummaryFormula& formula, uint16_t symbol);

// While a function is read, kLoop + n is its loop n, and there may be more of them than a summary
// has symbols for.
inline constexpr int kMaxLoopsOfFunction = kArgument - kLoop;
// Gives the loops around an access the numbers of summaries. `is_around`: whether the loop n of the
// function is around it. Nothing is known of an access that depends on others, or on too many.
void NumberLoops(const std::function<bool(int)>& is_around, SummaryAccess* access);

}  // namespace gpusan
