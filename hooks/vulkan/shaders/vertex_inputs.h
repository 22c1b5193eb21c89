// The parts of vertex buffers that draws read.
#pragma once

#include <cstdint>
#include <vector>

#include "hooks/vulkan/words/formats.h"

namespace gpusan::vulkan {

// An unknown stride.
constexpr uint32_t kUnknownStride = ~uint32_t{0};

// An attribute that a draw surely reads from a vertex buffer: `bytes` of each element, at `stride`.
struct VertexInput {
  uint32_t location;
  uint32_t binding;
  uint32_t stride;  // 0 if it is dynamic
  uint64_t bytes;
  bool per_instance;
  bool position;    // the positions of the primitives depend on it
  uint32_t offset;  // of the attribute in its element [bytes]
  // Addresses of the attribute are multiples of it, a power of two [bytes].
  AttributeUnit unit;
  bool dynamic_stride;  // commands set the stride
};

// Replaces the inputs by those that vkCmdSetVertexInputEXT sets. Without memory for more inputs
// than `most`, it does nothing and returns false.
bool SetInputs(uint32_t binding_count, const VkVertexInputBindingDescription2EXT* bindings,
               uint32_t attribute_count, const VkVertexInputAttributeDescription2EXT* attributes,
               std::vector<VertexInput>* inputs, size_t most);

}  // namespace gpusan::vulkan
