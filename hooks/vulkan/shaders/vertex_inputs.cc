// The parts of vertex buffers that draws read.
#include "hooks/vulkan/shaders/vertex_inputs.h"

namespace gpusan::vulkan {
namespace {

VertexInput InputOf(const VkVertexInputAttributeDescription2EXT& attribute,
                    const VkVertexInputBindingDescription2EXT* binding) {
  VertexInput input = {};
  input.location = attribute.location;
  input.binding = attribute.binding;
  input.offset = attribute.offset;
  input.stride = kUnknownStride;
  const FormatBlock block = BlockOf(attribute.format, VK_IMAGE_ASPECT_COLOR_BIT);
  if (binding == nullptr || block.bytes == 0 || block.width != 1) return input;
  input.per_instance = binding->inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
  input.bytes = uint64_t{attribute.offset} + block.bytes;
  input.unit = UnitOf(attribute.format);
  // With another divisor fewer elements are read.
  if (!input.per_instance || binding->divisor == 1) input.stride = binding->stride;
  return input;
}

}  // namespace

bool SetInputs(uint32_t binding_count, const VkVertexInputBindingDescription2EXT* bindings,
               uint32_t attribute_count, const VkVertexInputAttributeDescription2EXT* attributes,
               std::vector<VertexInput>* inputs, size_t most) {
  if (attribute_count > most) return false;
  inputs->clear();
  for (uint32_t i = 0; attributes != nullptr && i < attribute_count; ++i) {
    const VkVertexInputBindingDescription2EXT* binding = nullptr;
    for (uint32_t j = 0; bindings != nullptr && j < binding_count; ++j) {
      if (bindings[j].binding == attributes[i].binding) binding = &bindings[j];
    }
    inputs->push_back(InputOf(attributes[i], binding));
  }
  return true;
}

}  // namespace gpusan::vulkan
