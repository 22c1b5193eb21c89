// The end of a device: vkDestroyDevice, and the end of the process for devices that are alive then.
#include "hooks/vulkan/waits/device_end.h"

#include "hooks/vulkan/objects/queues.h"
#include "hooks/vulkan/objects/resources.h"
#include "hooks/vulkan/waits/endless_host_waits.h"
#include "hooks/vulkan/waits/unsignaled_waits.h"

namespace gpusan::vulkan {

void AtProcessEnd(Tracker& tracker) {
  static constexpr CallInfo kEnd = {"", Api::kVulkan};
  VisitDevicesAtEnd([&](Device& device) {
    Call call(tracker, kEnd, Words(), nullptr, nullptr);
    CheckWaitsAtEnd(call, device);
    CheckHostWaitsAtEnd(call, device);
  });
}

void DestroyDevice::Around(VkCall& call, VkDevice handle, const VkAllocationCallbacks* allocator) {
  Device& device = call.device();
  const auto next = GPUSAN_VK_NEXT(&device, vkDestroyDevice);
  Tracker& tracker = call.tracker();
  CheckWaitsAtEnd(call, device);
  if (device.object != nullptr) {
    if (tracker.shadow().options().leaks)
      tracker.ReportLeaks(call.words(), Api::kVulkan, device.object);
    tracker.objects().ReleaseAllOf(call, device.object);
    NoteReleasedObject();
    tracker.objects().Release(call, device.object, true);
  }
  call.EmitNow();
  Deliver(&device.instance->messengers);
  RemoveDevice(&device);
  next(handle, allocator);
  for (QueueState* queue : device.queues) delete queue;
  delete &device;
}

}  // namespace gpusan::vulkan
