// A dispatch that looks at a picture through a sampler, and at a buffer through a view of its texels.
#pragma once

#include "common/vulkan_compute.h"
#include "shaders/look.comp.h"

struct Look {
  Image picture;
  Buffer source, output;
  VkSampler sampler;
  VkImageView view;
  VkBufferView texels;
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  VkPipeline pipeline;
  VkDescriptorPool pool;
  VkDescriptorSet set;
};

// The picture is in SHADER_READ_ONLY_OPTIMAL and holds zeros, as does the buffer. `immutable`: the
// layout has the sampler, and the write of the set names `ignored`.
[[maybe_unused]] static Look MakeLook(bool immutable = false, VkSampler ignored = VK_NULL_HANDLE) {
  Look look;
  VkImageCreateInfo image = ImageInfo(16, 16);
  image.usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  look.picture = MakeImage(image);
  look.source = MakeBuffer(256, kCopies | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
  look.output = MakeBuffer(256, kCopies | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);

  look.sampler = MakeSampler();
  look.view = ViewOf(look.picture.handle);
  VkBufferViewCreateInfo texels = {VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  texels.buffer = look.source.handle;
  texels.format = VK_FORMAT_R32_UINT;
  texels.range = VK_WHOLE_SIZE;
  OK(vkCreateBufferView(device, &texels, nullptr, &look.texels));

  constexpr VkDescriptorType kTypes[3] = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                          VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                          VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
  VkDescriptorSetLayoutBinding bindings[3] = {};
  VkDescriptorPoolSize sizes[3];
  for (uint32_t i = 0; i < 3; ++i) {
    bindings[i].binding = i;
    bindings[i].descriptorType = kTypes[i];
    bindings[i].descriptorCount = 1;
    bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    sizes[i] = {kTypes[i], 1};
  }
  if (immutable) bindings[0].pImmutableSamplers = &look.sampler;
  look.set_layout = MakeSetLayout(3, bindings);
  look.layout = MakePipelineLayout(look.set_layout);
  look.pipeline = MakeComputePipeline(look.layout, look_comp, sizeof(look_comp));

  look.pool = MakeSetPool(3, sizes);
  look.set = AllocateSet(look.pool, look.set_layout);
  const VkDescriptorImageInfo picture = {immutable ? ignored : look.sampler, look.view,
                                         VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  const VkDescriptorBufferInfo output = {look.output.handle, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet writes[3] = {};
  for (uint32_t i = 0; i < 3; ++i) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = look.set;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = 1;
    writes[i].descriptorType = kTypes[i];
  }
  writes[0].pImageInfo = &picture;
  writes[1].pTexelBufferView = &look.texels;
  writes[2].pBufferInfo = &output;
  vkUpdateDescriptorSets(device, 3, writes, 0, nullptr);

  Begin();
  vkCmdFillBuffer(commands, look.source.handle, 0, VK_WHOLE_SIZE, 0);
  VkImageMemoryBarrier to_clear =
      ImageBarrier(look.picture.handle, VK_IMAGE_LAYOUT_UNDEFINED,
                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0, VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_clear);
  const VkClearColorValue black = {};
  vkCmdClearColorImage(commands, look.picture.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &black,
                       1, &kWhole);
  const VkImageMemoryBarrier to_read =
      ImageBarrier(look.picture.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                   VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_ACCESS_TRANSFER_WRITE_BIT,
                   VK_ACCESS_SHADER_READ_BIT);
  VkMemoryBarrier filled = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  filled.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  filled.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &filled, 0, nullptr, 1,
                       &to_read);
  Run();
  return look;
}

[[maybe_unused]] static void Bind(const Look& look) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, look.pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, look.layout, 0, 1, &look.set, 0,
                          nullptr);
}

// All but the sampler and the views.
[[maybe_unused]] static void DestroyRest(const Look& look) {
  vkDestroyDescriptorPool(device, look.pool, nullptr);
  vkDestroyPipeline(device, look.pipeline, nullptr);
  vkDestroyPipelineLayout(device, look.layout, nullptr);
  vkDestroyDescriptorSetLayout(device, look.set_layout, nullptr);
  Destroy(look.picture);
  Destroy(look.source);
  Destroy(look.output);
}
