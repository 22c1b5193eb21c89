// The largest block of threads with which a kernel can be launched.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace gpusan::cuda {

struct BlockLimits {
  // By dimension. The defaults hold for all devices (CUDA C++ Programming Guide, "Compute
  // Capabilities").
  std::array<uint32_t, 3> threads = {1024, 1024, 64};

  // The kernel is launched with exactly these sizes: .reqntid of PTX. 0: not given.
  void Require(const std::array<uint32_t, 3>& sizes) {
    for (size_t i = 0; i < threads.size(); ++i) {
      if (sizes[i] != 0) threads[i] = std::min(threads[i], sizes[i]);
    }
  }

  // The product is the largest number of threads in a block: .maxntid of PTX. 0: not given.
  void LimitProduct(const std::array<uint32_t, 3>& sizes) {
    constexpr uint64_t kMost = 1024;
    uint64_t product = 1;
    for (const uint32_t size : sizes) product *= std::min<uint64_t>(size, kMost);
    if (product == 0) return;
    for (uint32_t& most : threads) most = static_cast<uint32_t>(std::min<uint64_t>(most, product));
  }
};

}  // namespace gpusan::cuda
