// Arithmetic of the formulas in kernel summaries, for the producers of summaries.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tracker/model/kernel_summary.h"

namespace gpusan {

// kLoop + n is the iteration number of the loop n around an access. Iterations begin at 0. Loops
// are numbered from the outermost one. The first guard of the access that depends on the loop is
// the condition of the loop: an iteration runs exactly if it holds. The first numbers are those of
// SummaryAccess::parts, which have no condition.
inline constexpr uint16_t kLoop = 22;
inline constexpr int kMaxLoops = 6;
constexpr bool IsLoop(uint16_t symbol) { return symbol >= kLoop && symbol < kLoop + kMaxLoops; }

SummaryFormula ConstantFormula(int64_t number);
SummaryFormula SymbolFormula(int symbol);

// Returns a + factor * b; nullopt if the formula is too long.
std::optional<SummaryFormula> Add(const SummaryFormula& a, const SummaryFormula& b, int64_t factor);
// Returns a * b; nullopt if the formula is too long or has too many symbols in a term.
std::optional<SummaryFormula> Multiply(const SummaryFormula& a, const SummaryFormula& b);

// Returns the value of a formula without symbols; nullopt for other formulas.
std::optional<int64_t> ConstantOf(const SummaryFormula& formula);
// Returns the number of low bits that are 0 in all values of the formula.
int ZeroBits(const SummaryFormula& formula);
// Returns whether the formula contains the symbol.
bool Names(const SummaryFormula& formula, uint16_t symbol);

// Number of loops that a producer can name while it reads a function: kLoop + n is the loop n of
// the function. A summary has fewer symbols for loops.
inline constexpr int kMaxLoopsOfFunction = kArgument - kLoop;
// kPartOfFunction + n is part n of the function, while a producer reads it.
inline constexpr uint16_t kPartOfFunction = 0x4000;
// Replaces the numbers of loops and parts of the function in `access` by those of summaries, and
// adds the parts to the access. `is_around(n)`: whether the loop n of the function is around the
// access. `parts`: of the function; a part names only earlier ones. If the access depends on other
// loops, or on too many loops and parts, its bytes and conditions become unknown.
void NumberLoops(const std::function<bool(int)>& is_around, SummaryAccess* access,
                 const std::vector<SummaryPart>& parts = {});

}  // namespace gpusan
