// Dispatches that write tiles or a window of a buffer, or copy an element of an array of buffers.
#pragma once

#include "common/vulkan_compute.h"
#include "shaders/elements.comp.h"
#include "shaders/tile.comp.h"
#include "shaders/window.comp.h"

// Dispatches with a base: each writes the 256-byte tiles of a buffer that its workgroups have the
// numbers of.
struct Tiles {
  Compute compute;
  Buffer words;
};

constexpr VkDeviceSize kTileBytes = 256;

// A buffer of `count` tiles, of which the descriptor shows `shown`.
[[maybe_unused]] static Tiles MakeTiles(
    uint32_t count, uint32_t shown,
    VkPipelineCreateFlags flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT) {
  Tiles tiles = {MakeCompute(tile_comp, sizeof(tile_comp)),
                 MakeBuffer(count * kTileBytes, kStorage)};
  vkDestroyPipeline(device, tiles.compute.pipeline, nullptr);
  tiles.compute.pipeline =
      MakeComputePipeline(tiles.compute.layout, tile_comp, sizeof(tile_comp), flags);
  const VkDescriptorBufferInfo range = {tiles.words.handle, 0, shown * kTileBytes};
  const VkWriteDescriptorSet write = Write(tiles.compute.set, 0, &range);
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  return tiles;
}

[[maybe_unused]] static void Destroy(const Tiles& tiles) {
  Destroy(tiles.words);
  Destroy(tiles.compute);
}

// Dispatches that change a window of a buffer, which push constants choose.
struct Window {
  uint32_t first, count;  // [words]
};

[[maybe_unused]] static Compute MakeWindows() {
  return MakeCompute(window_comp, sizeof(window_comp), VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                     sizeof(Window));
}

// A buffer of zeros, bound to the pipeline.
[[maybe_unused]] static Buffer MakeWords(const Compute& windows, VkDeviceSize bytes) {
  const Buffer words = MakeBuffer(bytes, kStorage);
  SetBuffers(windows, words.handle, words.handle);
  Begin();
  vkCmdFillBuffer(commands, words.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  return words;
}

[[maybe_unused]] static void Push(const Compute& windows, const Window& window) {
  vkCmdPushConstants(commands, windows.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(window),
                     &window);
}

// A shader that copies from element 1 to element 2 of an array of four buffers.
constexpr uint32_t kElements = 4;

[[maybe_unused]] static Compute MakeElements() {
  Compute compute;
  const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kElements,
                                                VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  compute.set_layout = MakeSetLayout(1, &binding);
  compute.layout = MakePipelineLayout(compute.set_layout);
  compute.pipeline = MakeComputePipeline(compute.layout, elements_comp, sizeof(elements_comp));
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kElements};
  compute.pool = MakeSetPool(1, &size);
  compute.set = AllocateSet(compute.pool, compute.set_layout);
  return compute;
}

[[maybe_unused]] static void SetElement(const Compute& compute, uint32_t element, VkBuffer buffer) {
  const VkDescriptorBufferInfo info = {buffer, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = Write(compute.set, 0, &info);
  write.dstArrayElement = element;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
}
