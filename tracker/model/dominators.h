// Dominators of a graph.
#pragma once

#include <cstdint>
#include <vector>

namespace gpusan {

inline constexpr uint32_t kNoDominator = UINT32_MAX;

// Returns the immediate dominator of each node: the last other node that every path from `root` to
// the node passes. Returns `root` for `root` itself, and kNoDominator for an unreachable node.
std::vector<uint32_t> ImmediateDominators(const std::vector<std::vector<uint32_t>>& successors,
                                          uint32_t root);

}  // namespace gpusan
