// Pipeline caches: which of them exist.
#pragma once

#include <vulkan/vulkan_core.h>

#include "hooks/vulkan/objects/objects.h"

namespace gpusan::vulkan {

// A call uses the cache, which may be VK_NULL_HANDLE.
inline void UseCache(VkCall& call, VkPipelineCache cache, const char* argument) {
  if (cache != VK_NULL_HANDLE)
    UseHandle(call, ObjectKind::kPipelineCache, HandleOf(cache), argument);
}

struct CreatePipelineCache {
  AfterOf<PFN_vkCreatePipelineCache> After;
};
using DestroyPipelineCache = DestroyPlain<ObjectKind::kPipelineCache, VkPipelineCache>;
struct GetPipelineCacheData {
  void Before(VkCall& call, VkDevice, VkPipelineCache cache, size_t*, void*) {
    UseCache(call, cache, "pipelineCache");
  }
};
struct MergePipelineCaches {
  BeforeOf<PFN_vkMergePipelineCaches> Before;
};

}  // namespace gpusan::vulkan
