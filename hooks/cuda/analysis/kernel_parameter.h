// One parameter of a kernel, in the parameter block of a launch.
#pragma once

namespace gpusan::cuda {

// `offset` and `size` are bytes in the parameter block.
struct KernelParameter {
  unsigned ordinal = 0;
  unsigned offset = 0;
  unsigned size = 0;
};

}  // namespace gpusan::cuda
