// Draws whose vertex shader, and fragment shader, read buffers by addresses in their push constants.
#pragma once

#include "common/vulkan_pushed_addresses.h"
#include "common/vulkan_rendering.h"
#include "shaders/paint.frag.h"
#include "shaders/pull.vert.h"

constexpr VkDeviceSize kCornerBytes = 16;

// The push constants of pull.vert.
struct Told {
  VkDeviceAddress corners, moved;
};

struct Pulling {
  Rendering rendering;
  VkPipelineLayout layout;
  VkPipeline draws;
  Buffer moved;  // zeros
};

[[maybe_unused]] static void OpenForPulling() {
  static VkPhysicalDeviceDynamicRenderingFeatures rendering = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  rendering.dynamicRendering = VK_TRUE;
  static VkPhysicalDeviceBufferDeviceAddressFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, &rendering};
  features.bufferDeviceAddress = VK_TRUE;
  Open({.features = &features});
}

// `dynamic`: as for MakeDraws. `paints`: the fragment shader is paint.frag.
[[maybe_unused]] static Pulling MakePulling(
    const VkPipelineDynamicStateCreateInfo* dynamic = nullptr, bool paints = false) {
  Pulling made;
  made.rendering = MakeRendering();
  const VkPushConstantRange ranges[] = {
      {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(Told)},
      {VK_SHADER_STAGE_FRAGMENT_BIT, sizeof(Told), sizeof(VkDeviceAddress)}};
  VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout.pushConstantRangeCount = paints ? 2 : 1;
  layout.pPushConstantRanges = ranges;
  OK(vkCreatePipelineLayout(device, &layout, nullptr, &made.layout));
  VkPipelineRenderingCreateInfo formats = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  formats.colorAttachmentCount = 1;
  formats.pColorAttachmentFormats = &kRenderingFormat;
  made.draws = MakeDraws(VK_NULL_HANDLE, 0, made.layout, paints ? paint_frag : red_frag,
                         paints ? sizeof(paint_frag) : sizeof(red_frag), &formats, nullptr, dynamic,
                         pull_vert, sizeof(pull_vert));
  made.moved = MakeAddressedBuffer(kCornerBytes);
  Begin();
  vkCmdFillBuffer(commands, made.moved.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  return made;
}

[[maybe_unused]] static void PushCorners(const Pulling& pulling, const Buffer& corners,
                                         VkDeviceSize offset = 0) {
  const Told told = {AddressOf(corners.handle) + offset, AddressOf(pulling.moved.handle)};
  vkCmdPushConstants(commands, pulling.layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(told), &told);
}

[[maybe_unused]] static void PushPaint(const Pulling& pulling, const Buffer& paint) {
  const VkDeviceAddress address = AddressOf(paint.handle);
  vkCmdPushConstants(commands, pulling.layout, VK_SHADER_STAGE_FRAGMENT_BIT, sizeof(Told),
                     sizeof(address), &address);
}

// A buffer of zeros with the usage.
[[maybe_unused]] static Buffer MakeZeros(VkDeviceSize bytes, VkBufferUsageFlags usage) {
  const Buffer made = MakeBuffer(bytes, kCopies | usage);
  Begin();
  vkCmdFillBuffer(commands, made.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  return made;
}

// Orders fills and copies before the vertex shader.
[[maybe_unused]] static void FillsBeforeVertices() {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

[[maybe_unused]] static void Destroy(const Pulling& pulling) {
  vkDestroyPipeline(device, pulling.draws, nullptr);
  vkDestroyPipelineLayout(device, pulling.layout, nullptr);
  Destroy(pulling.moved);
  Destroy(pulling.rendering);
}
