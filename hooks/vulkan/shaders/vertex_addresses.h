// Whether a vertex shader of the process has addresses in its push constants.
#pragma once

#include <atomic>

namespace gpusan::vulkan {

// Becomes true with the first pipeline of such a shader. Command buffers that begin later keep the
// push constants of vertex shaders.
inline constinit std::atomic<bool> vertex_addresses_known{false};

}  // namespace gpusan::vulkan
