// Shaders that read a picture: draws over all of a target, and dispatches that write to a buffer.
#pragma once

#include "common/vulkan_rendering.h"

struct Pictures {
  Rendering target;
  Image picture;
  uint32_t layers;  // of the picture
  Buffer output;
  VkSampler sampler;
  VkImageView view;
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  VkDescriptorPool pool;
  VkDescriptorSet set;
};

constexpr uint32_t kPictureMips = 2;

// The picture has no content, and is in no layout. The shaders read its first mip level. `type`: of
// the view; the picture of a cube has six layers.
[[maybe_unused]] static Pictures MakePictures(VkFormat format = VK_FORMAT_R8G8B8A8_UNORM,
                                              VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D) {
  Pictures made;
  made.target = MakeRendering();
  made.layers = type == VK_IMAGE_VIEW_TYPE_CUBE ? 6 : 1;
  VkImageCreateInfo image = ImageInfo(kPassSize, kPassSize, format, kPictureMips, made.layers);
  if (type == VK_IMAGE_VIEW_TYPE_CUBE) image.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  image.usage |= VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  made.picture = MakeImage(image);
  made.output = MakeBuffer(256, kCopies | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  made.sampler = MakeSampler();
  VkImageViewCreateInfo view = ViewInfo(made.picture.handle, format);
  view.viewType = type;
  view.subresourceRange.levelCount = kPictureMips;
  view.subresourceRange.layerCount = made.layers;
  OK(vkCreateImageView(device, &view, nullptr, &made.view));
  constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
  const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, kStages, nullptr},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, kStages, nullptr}};
  made.set_layout = MakeSetLayout(2, bindings);
  const VkPushConstantRange range = {VK_SHADER_STAGE_FRAGMENT_BIT, 0, 4};
  VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout.setLayoutCount = 1;
  layout.pSetLayouts = &made.set_layout;
  layout.pushConstantRangeCount = 1;
  layout.pPushConstantRanges = &range;
  OK(vkCreatePipelineLayout(device, &layout, nullptr, &made.layout));
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
  made.pool = MakeSetPool(2, sizes);
  made.set = AllocateSet(made.pool, made.set_layout);
  const VkDescriptorImageInfo picture = {made.sampler, made.view,
                                         VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  const VkDescriptorBufferInfo output = {made.output.handle, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet writes[2] = {};
  for (uint32_t i = 0; i < 2; ++i) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = made.set;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = 1;
    writes[i].descriptorType = bindings[i].descriptorType;
  }
  writes[0].pImageInfo = &picture;
  writes[1].pBufferInfo = &output;
  vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
  return made;
}

// Draws with a fragment shader that reads the picture.
[[maybe_unused]] static VkPipeline MakePictureDraws(const Pictures& pictures, const uint32_t* code,
                                                    size_t bytes) {
  VkPipelineRenderingCreateInfo formats = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  formats.colorAttachmentCount = 1;
  formats.pColorAttachmentFormats = &kRenderingFormat;
  return MakeDraws(VK_NULL_HANDLE, 0, pictures.layout, code, bytes, &formats);
}

// Begins the rendering to the target, and binds the pipeline.
[[maybe_unused]] static void BeginPictureDraws(const Pictures& pictures, VkPipeline draws) {
  BeginRendering(pictures.target, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draws);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pictures.layout, 0, 1,
                          &pictures.set, 0, nullptr);
}

// A barrier of all mip levels of the picture.
[[maybe_unused]] static VkImageMemoryBarrier PictureBarrier(const Pictures& pictures,
                                                            VkImageLayout from, VkImageLayout to) {
  VkImageMemoryBarrier barrier =
      ImageBarrier(pictures.picture.handle, from, to, VK_ACCESS_MEMORY_WRITE_BIT,
                   VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
  barrier.subresourceRange.levelCount = kPictureMips;
  barrier.subresourceRange.layerCount = pictures.layers;
  return barrier;
}

// Writes the first mip level of the picture, which is in VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
// behind it.
[[maybe_unused]] static void ClearPicture(const Pictures& pictures) {
  const VkImageMemoryBarrier to_clear =
      PictureBarrier(pictures, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, nullptr, 0, nullptr, 1, &to_clear);
  const VkClearColorValue black = {};
  VkImageSubresourceRange first = kWhole;
  first.layerCount = pictures.layers;
  vkCmdClearColorImage(commands, pictures.picture.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                       &black, 1, &first);
}

[[maybe_unused]] static void Destroy(const Pictures& pictures) {
  vkDestroyDescriptorPool(device, pictures.pool, nullptr);
  vkDestroyPipelineLayout(device, pictures.layout, nullptr);
  vkDestroyDescriptorSetLayout(device, pictures.set_layout, nullptr);
  vkDestroyImageView(device, pictures.view, nullptr);
  vkDestroySampler(device, pictures.sampler, nullptr);
  Destroy(pictures.picture);
  Destroy(pictures.output);
  Destroy(pictures.target);
}
