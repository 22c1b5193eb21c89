// Dominators of a graph.
#pragma once

#include <cstdint>
#include <vector>

namespace gpusan::cuda {

inline constexpr uint32_t kNoDominator = UINT32_MAX;

// The immediate dominator of each node: the last other node that every path from `root` to the node
// passes. The root's is the root itself, that of an unreachable node is kNoDominator.
std::vector<uint32_t> ImmediateDominators(const std::vector<std::vector<uint32_t>>& successors,
                                          uint32_t root);

}  // namespace gpusan::cuda
