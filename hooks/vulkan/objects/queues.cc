// Queues: the order of the work that is submitted to each.
#include "hooks/vulkan/objects/queues.h"

#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {
namespace {

void KeepQueue(VkCall& call, VkDevice, uint32_t family, VkQueue handle) {
  if (handle == VK_NULL_HANDLE) return;
  Device& device = call.device();
  std::lock_guard lock(device.queues_lock);
  for (QueueState* known : device.queues) {
    if (known->handle == handle) return;
  }
  auto* state = new QueueState(device, handle, family);
  state->queue = call.tracker().objects().NewQueue(call, HandleOf(handle), device.object, true,
                                                   HandleOf(device.handle));
  state->queue->MarkOwned();
  state->queue->native = state;
  device.queues.push_back(state);
}

}  // namespace

QueueState* StateOf(VkCall& call, VkQueue queue) {
  Object* object = FindRecent<ObjectKind::kQueue>(HandleOf(queue));
  if (object == nullptr) [[unlikely]] {
    object = call.tracker().objects().Find(Api::kVulkan, ObjectKind::kQueue, HandleOf(queue));
    if (object == nullptr || !object->live()) return nullptr;
    SetRecent<ObjectKind::kQueue>(HandleOf(queue), object);
  }
  return static_cast<QueueState*>(static_cast<Queue*>(object)->native);
}

void GetDeviceQueue::After(VkCall& call, VkDevice device, uint32_t family, uint32_t,
                           VkQueue* queue) {
  KeepQueue(call, device, family, *queue);
}

void GetDeviceQueue2::After(VkCall& call, VkDevice device, const VkDeviceQueueInfo2* info,
                            VkQueue* queue) {
  KeepQueue(call, device, info->queueFamilyIndex, *queue);
}

}  // namespace gpusan::vulkan
