// Defect: Two dispatches store to the same texels of a storage image, and nothing orders them.
// Fix: A barrier orders the stores of the second dispatch after those of the first one.
// EXPECT warning missing-barrier vkCmdDispatch at SECOND
// EXPECT-PARTY earlier-access at FIRST
// EXPECT-FACT hazard=WAW
#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_sets.h"
#include "shaders/stamp.comp.h"

int main() {
  Open();
  VkImageCreateInfo info = ImageInfo(16, 16, VK_FORMAT_R32_UINT);
  info.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
  const Image image = MakeImage(info);
  const VkImageView view = ViewOf(image.handle, VK_FORMAT_R32_UINT);
  const OneSet made = MakeSet(VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  const VkPipeline pipeline = MakeComputePipeline(made.layout, stamp_comp, sizeof(stamp_comp),
                                                  VK_PIPELINE_CREATE_DISPATCH_BASE_BIT);
  const int32_t column = 13;
  const VkSpecializationMapEntry entry = {0, 0, sizeof(column)};
  const VkSpecializationInfo constants = {1, &entry, sizeof(column), &column};
  const VkShaderModule module = MakeModule(stamp_comp, sizeof(stamp_comp));
  VkComputePipelineCreateInfo specialized = ComputeInfo(module, made.layout);
  specialized.stage.pSpecializationInfo = &constants;
  VkPipeline right;
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &specialized, nullptr, &right));
  const VkDescriptorImageInfo storage = {VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet write = WriteOne(made, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
  write.pImageInfo = &storage;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  Begin();
  const VkImageMemoryBarrier start =
      ImageBarrier(image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                   VK_ACCESS_SHADER_WRITE_BIT);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, nullptr, 0, nullptr, 1, &start);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, made.layout, 0, 1, &made.set, 0,
                          nullptr);
  // Columns 1 to 8 of rows 0 to 3.
  // @FIRST
  vkCmdDispatch(commands, 2, 1, 1);
  // Other rows, and columns on the right: these need no barrier.
  vkCmdDispatchBase(commands, 0, 1, 0, 2, 1, 1);
  vkCmdDispatchBase(commands, 2, 0, 0, 1, 1, 1);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, right);
  vkCmdDispatch(commands, 1, 1, 1);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
#ifdef DEFECT
  // Columns 1 to 4 of rows 0 to 3.
#else
  MemoryBarrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
#endif
  // @SECOND
  vkCmdDispatch(commands, 1, 1, 1);
  Run();
  vkDestroyShaderModule(device, module, nullptr);
  Destroy(pipeline, right);
  Destroy(made);
  Close(view, image);
}
