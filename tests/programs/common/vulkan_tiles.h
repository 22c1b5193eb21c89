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

[[maybe_unused]] static VkPipeline MakeTilePipeline(VkPipelineLayout layout,
                                                    VkPipelineCreateFlags flags) {
  VkShaderModuleCreateInfo module_info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  module_info.codeSize = sizeof(tile_comp);
  module_info.pCode = tile_comp;
  VkShaderModule module;
  OK(vkCreateShaderModule(device, &module_info, nullptr, &module));
  VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.flags = flags;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = layout;
  VkPipeline pipeline;
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  vkDestroyShaderModule(device, module, nullptr);
  return pipeline;
}

// A buffer of `count` tiles, of which the descriptor shows `shown`.
[[maybe_unused]] static Tiles MakeTiles(
    uint32_t count, uint32_t shown,
    VkPipelineCreateFlags flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT) {
  Tiles tiles = {MakeCompute(tile_comp, sizeof(tile_comp)),
                 MakeBuffer(count * kTileBytes, kStorage)};
  vkDestroyPipeline(device, tiles.compute.pipeline, nullptr);
  tiles.compute.pipeline = MakeTilePipeline(tiles.compute.layout, flags);
  const VkDescriptorBufferInfo range = {tiles.words.handle, 0, shown * kTileBytes};
  const VkWriteDescriptorSet write = Write(tiles.compute.set, 0, &range);
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  return tiles;
}

[[maybe_unused]] static void Destroy(const Tiles& tiles) {
  Destroy(tiles.words);
  Destroy(tiles.compute);
}
