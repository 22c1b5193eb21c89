// Accesses of a kernel to bytes side by side.
#pragma once

#include <vector>

#include "tracker/model/kernel_summary.h"

namespace gpusan {

// Whether both accesses have the same conditions and parts.
bool SameGuards(const SummaryAccess& a, const SummaryAccess& b);

// Joins accesses to bytes side by side, such as those to the members of a structure.
void JoinNeighbours(std::vector<SummaryAccess>* accesses);

}  // namespace gpusan
