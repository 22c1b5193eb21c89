// The values that a shader surely passes from images, buffers and vertex attributes to its results.
#pragma once

#include <cstdint>
#include <vector>

#include "hooks/common/spirv/spirv_code.h"

namespace gpusan::vulkan {

// A result of the entry point depends on the content of the image, or of the buffer that it only
// reads: no condition, product or selection stands between the read and the result.
struct ResourceFlow {
  uint32_t set = 0, binding = 0;
  // The color output of a fragment shader, and its components that depend on the resource. Bits.
  // SpirvCode::kNone: memory, which a compute shader writes.
  uint32_t location = SpirvCode::kNone;
  uint32_t components = 0;
};

struct ValueFlow {
  std::vector<ResourceFlow> resources;
  // Vertex shaders: the first 64 input locations on which the position depends. Bits.
  uint64_t positions = 0;
};

// Reads a vertex, fragment or compute entry point that has one block and calls no function. The
// result is empty for all others.
ValueFlow ReadValueFlow(const SpirvCode& code, const SpirvCode::Entry& entry);

}  // namespace gpusan::vulkan
