// The finding about an object that two threads use at the same time.
#include "hooks/vulkan/objects/lone_uses.h"

#include "tracker/rules/events/concurrent_use.h"

namespace gpusan::vulkan {

void ReportOtherUse(VkCall& call, const Object& object, const OtherUse& other) {
  // Objects of two devices may share a handle: which of them a call uses is not known then.
  if (object.references.load(std::memory_order_relaxed) > 1) return;
  rules::ConcurrentUse use;
  use.object = &object;
  use.other = other.call;
  use.site = other.site;
  use.other_thread = other.thread;
  rules::OnConcurrentUse(use, call);
}

}  // namespace gpusan::vulkan
