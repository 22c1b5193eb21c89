// The fields of thread indices on which an access depends.
#pragma once

#include <vector>

#include "hooks/cuda/analysis/kernel_access.h"
#include "hooks/cuda/analysis/thread_fields.h"

namespace gpusan::cuda {

// Returns the fields that the address and the conditions of the access name, if they are
// independent: two fields of one index have no bit in common, and the access names neither the
// index nor the lane. Leaves out all fields of other indices.
std::vector<ThreadField> IndependentFields(const KernelMemoryAccess& access,
                                           const std::vector<Extension>& extensions);

}  // namespace gpusan::cuda
