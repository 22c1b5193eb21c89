// Numbers of a launch that kernels compute from several registers.
//
// A kernel of CUDA computes the index of a thread in the grid from the registers of its block. A
// kernel of OpenCL adds registers of the execution environment (PTX ISA, %envreg), whose meaning
// the driver defines: its compiler writes get_global_id(d) as %ctaid * %ntid + %tid + %envreg(3 +
// d), get_group_id(d) as %ctaid + %envreg(d), get_num_groups(d) as %envreg(6 + d). The driver may
// run a launch in parts, so that %ctaid, %nctaid and the offsets have no meaning alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "hooks/cuda/analysis/expression.h"

namespace gpusan::cuda {

enum class LaunchRegisters : uint8_t { kCuda, kOpenCl };

// Removes the sums that are numbers of a launch from `terms`. Calls `found(symbol, factor, atoms)`
// for each: the LaunchSymbol, the coefficient, and the other atoms of the product. Returns false if
// a call of `found` returned false.
using FoundSum = std::function<bool(uint16_t, int64_t, const std::vector<Atom>&)>;
bool TakeLaunchSums(LaunchRegisters registers, std::vector<Term>* terms, const FoundSum& found);

// Returns the LaunchSymbol of a register; kNoSymbol if the atom is no register, or if its value
// alone has no meaning.
uint16_t SymbolOfRegister(LaunchRegisters registers, const Atom& atom);

// Returns a bound of a non-negative word that is a part of such a sum: the dimension whose global
// ID of a work-item is not smaller than the word. Returns kWithin31Bits if the word needs at most
// 31 bits on any device, and nullopt if no bound is known.
inline constexpr int kWithin31Bits = -1;
std::optional<int> BoundOfLaunchWord(LaunchRegisters registers, const Expression& word);

}  // namespace gpusan::cuda
