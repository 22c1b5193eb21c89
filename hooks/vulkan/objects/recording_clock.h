// The order of the ends of recordings and the writes of descriptors, by which a submission knows
// that a descriptor was written after the command buffer that uses it was recorded.
#pragma once

#include <atomic>
#include <cstdint>

namespace gpusan::vulkan {

// The number of recordings that have ended in the process. A descriptor that is written keeps this
// number; a recording that ends keeps the number that includes itself.
inline constinit std::atomic<uint64_t> ended_recordings{0};

}  // namespace gpusan::vulkan
