// Defect: Gives a destroyed pipeline cache to a merge.
// Fix: Destroys the cache after the merge.
// EXPECT error use-after-free vkMergePipelineCaches at MERGE
// EXPECT-TEXT pipeline cache
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
  vkDestroyPipelineCache(device, one, nullptr);
#endif
  // @MERGE
  vkMergePipelineCaches(device, all, 1, &one);
#ifndef DEFECT
  vkDestroyPipelineCache(device, one, nullptr);
#endif
  vkDestroyPipelineCache(device, all, nullptr);
  Close();
}
