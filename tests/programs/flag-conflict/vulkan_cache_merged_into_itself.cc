// Defect: Merges a pipeline cache into itself.
// Fix: Merges another cache into it.
// EXPECT error flag-conflict vkMergePipelineCaches at MERGE
// EXPECT-FACT vuid=VUID-vkMergePipelineCaches-dstCache-00770
// EXIT any
#include "common/vulkan.h"

static VkPipelineCache MakeCache() {
  const VkPipelineCacheCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  VkPipelineCache made;
  OK(vkCreatePipelineCache(device, &info, nullptr, &made));
  return made;
}

int main() {
  Open();
  const VkPipelineCache all = MakeCache(), one = MakeCache();
#ifdef DEFECT
  const VkPipelineCache source = all;
#else
  const VkPipelineCache source = one;
#endif
  // @MERGE
  vkMergePipelineCaches(device, all, 1, &source);
  vkDestroyPipelineCache(device, one, nullptr);
  vkDestroyPipelineCache(device, all, nullptr);
  Close();
}
