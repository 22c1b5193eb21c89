// Pipeline caches: which of them exist.
#include "hooks/vulkan/shaders/pipeline_caches.h"

#include "hooks/vulkan/objects/sync_objects.h"

namespace gpusan::vulkan {

void CreatePipelineCache::After(VkCall& call, VkResult code, VkDevice,
                                const VkPipelineCacheCreateInfo*, const VkAllocationCallbacks*,
                                VkPipelineCache* cache) {
  constexpr ObjectKind kKind = ObjectKind::kPipelineCache;
  if (code == VK_SUCCESS) {
    KeepPlain(call, kKind, HandleOf(*cache));
  } else {
    call.tracker().objects().NoteFailedCreation(call, kKind, code, 0);
  }
}

void MergePipelineCaches::Before(VkCall& call, VkDevice, VkPipelineCache target, uint32_t count,
                                 const VkPipelineCache* sources) {
  UseCache(call, target, "dstCache");
  for (uint32_t i = 0; sources != nullptr && i < count; ++i) {
    if (sources[i] == target) {
      ReportSync(call, ObjectKind::kPipelineCache, HandleOf(target),
                 rules::SyncStateUse::Fault::kMergedIntoItself);
    } else {
      UseCache(call, sources[i], "pSrcCaches[]");
    }
  }
}

}  // namespace gpusan::vulkan
