// Draws whose vertices, indices and parameters are in buffers of their own, of which commands fill
// parts.
#pragma once

#include "common/vulkan_vertices.h"

// Any index of 16 bits names a vertex.
constexpr VkDeviceSize kVerticesBytes = 65536 * kVertexBytes;
constexpr VkDeviceSize kInputBytes = 1 << 20;

struct Inputs {
  Rendering rendering;
  Buffer vertices, indices, parameters;
};

[[maybe_unused]] static Inputs MakeInputs() {
  Inputs made;
  made.rendering = MakeVertexRendering();
  made.vertices = MakeBuffer(kVerticesBytes, kCopies | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  made.indices = MakeBuffer(kInputBytes, kCopies | VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  made.parameters = MakeBuffer(kInputBytes, kCopies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  return made;
}

// Fills bytes of a buffer with zeros.
[[maybe_unused]] static void Fill(const Buffer& buffer, VkDeviceSize offset, VkDeviceSize bytes) {
  vkCmdFillBuffer(commands, buffer.handle, offset, bytes, 0);
}

// Begins draws behind the fills.
[[maybe_unused]] static void BeginInputDraws(const Inputs& inputs) {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  BeginRendering(inputs.rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, inputs.rendering.draws);
  const VkDeviceSize none = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &inputs.vertices.handle, &none);
  vkCmdBindIndexBuffer(commands, inputs.indices.handle, 0, VK_INDEX_TYPE_UINT16);
}

[[maybe_unused]] static void Destroy(const Inputs& inputs) {
  for (const Buffer& buffer : {inputs.vertices, inputs.indices, inputs.parameters}) Destroy(buffer);
  Destroy(inputs.rendering);
}

// With vkCmdDrawIndirectCount.
[[maybe_unused]] static void OpenForDrawCounts() {
  VkPhysicalDeviceVulkan12Features counts = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  counts.drawIndirectCount = VK_TRUE;
  VkPhysicalDeviceDynamicRenderingFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  features.pNext = &counts;
  features.dynamicRendering = VK_TRUE;
  Open({.features = &features});
}
