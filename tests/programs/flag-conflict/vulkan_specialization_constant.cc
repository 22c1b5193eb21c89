// Defect of_another_size: The value of a specialization constant has two bytes, and the shader
// declares a 32-bit constant.
// EXPECT error flag-conflict vkCreateComputePipelines at CREATE
// EXPECT-FACT vuid=VUID-VkSpecializationMapEntry-constantID-00776
// EXPECT-TEXT the specialization constant 0 with the size 2, but the shader declares it with 4 B
// Defect past_its_data: The value of a specialization constant begins behind the data.
// EXPECT error flag-conflict vkCreateComputePipelines at CREATE_2
// EXPECT-FACT vuid=VUID-VkSpecializationInfo-offset-00773
// Defect cache_merged_into_itself: Merges a pipeline cache into itself.
// EXPECT error flag-conflict vkMergePipelineCaches at MERGE
// EXPECT-FACT vuid=VUID-vkMergePipelineCaches-dstCache-00770
// Fix: The value has the size of the constant, and is inside of the data.
// EXIT any
#include "common/vulkan.h"
#include "common/vulkan_compute.h"
#include "shaders/part.comp.h"

// Fix: The value has four bytes.
static void OfAnotherSize() {
  const Compute compute = MakeCompute();
  const VkShaderModule module = MakeModule(part_comp, sizeof(part_comp));
  const uint32_t values[2] = {};
  // A constant that the shader lacks may have any size.
  VkSpecializationMapEntry entries[] = {{0, 0, 4}, {99, 4, 3}};
#ifdef DEFECT_of_another_size
  entries[0].size = 2;
#endif
  const VkSpecializationInfo constants = {2, entries, sizeof(values), values};
  VkComputePipelineCreateInfo info = ComputeInfo(module, compute.layout);
  info.stage.pSpecializationInfo = &constants;
  VkPipeline pipeline;
  // @CREATE
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  Destroy(pipeline, module, compute);
}

// Fix: It begins with the data.
static void PastItsData() {
  const Compute compute = MakeCompute();
  VkShaderModule module = MakeModule(scale_comp, sizeof(scale_comp));
  // The shader has no constant of this number, so that the driver reads no value.
  const uint32_t values[4] = {};
  VkSpecializationMapEntry entry = {99, 0, sizeof(uint32_t)};
#ifdef DEFECT_past_its_data
  entry.offset = sizeof(uint32_t);
#endif
  const VkSpecializationInfo constants = {1, &entry, sizeof(uint32_t), values};
  VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &constants;
  info.layout = compute.layout;
  VkPipeline pipeline;
  // @CREATE_2
  OK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  Destroy(pipeline, module, compute);
}

// Fix: Merges another cache into it.
static VkPipelineCache MakeCache() {
  const VkPipelineCacheCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  VkPipelineCache made;
  OK(vkCreatePipelineCache(device, &info, nullptr, &made));
  return made;
}

static void CacheMergedIntoItself() {
  const VkPipelineCache all = MakeCache(), one = MakeCache();
#ifdef DEFECT_cache_merged_into_itself
  const VkPipelineCache source = all;
#else
  const VkPipelineCache source = one;
#endif
  // @MERGE
  vkMergePipelineCaches(device, all, 1, &source);
  vkDestroyPipelineCache(device, one, nullptr);
  vkDestroyPipelineCache(device, all, nullptr);
}

int main() {
  Open();
  OfAnotherSize();
  PastItsData();
  CacheMergedIntoItself();
  Close();
}
