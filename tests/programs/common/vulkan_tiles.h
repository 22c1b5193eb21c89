// Dispatches with a base: each writes the 256-byte tiles of a buffer that its workgroups have the
// numbers of.
#pragma once

#include "common/vulkan_compute.h"
#include "shaders/tile.comp.h"

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
