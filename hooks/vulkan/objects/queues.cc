// Queues: the order of the work that is submitted to each.
#include "hooks/vulkan/objects/queues.h"

#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {
namespace {

void KeepQueue(VkCall& call, uint32_t family, bool synchronized, VkQueue handle) {
  if (handle == VK_NULL_HANDLE) return;
  Device& device = call.device();
  std::lock_guard lock(device.queues_lock);
  for (QueueState* known : device.queues) {
    if (known->handle == handle) return;
  }
  auto* state = new QueueState(device, handle, family, synchronized);
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

void UseQueueAlone(VkCall& call, UsesOfCall& uses, VkQueue handle) {
  QueueState* state = StateOf(call, handle);
  if (state == nullptr || state->synchronized) return;
  UseAlone(call, uses, state->user, *state->queue);
  OtherUse other;
  if (call.device().all_queues_user.InUse(&other)) [[unlikely]]
    ReportOtherUse(call, *state->queue, other);
}

void UseAllQueuesAlone(VkCall& call, UsesOfCall& uses) {
  Device& device = call.device();
  OtherUse other;
  const bool overlaps = uses.Begin(device.all_queues_user, call.info(), call.site(), 0, &other);
  const QueueState* used = nullptr;
  {
    std::lock_guard lock(device.queues_lock);
    for (const QueueState* queue : device.queues) {
      if (!queue->synchronized && (overlaps || queue->user.InUse(&other))) used = queue;
    }
  }
  if (used != nullptr) [[unlikely]]
    ReportOtherUse(call, *used->queue, other);
}

void GetDeviceQueue::After(VkCall& call, VkDevice, uint32_t family, uint32_t, VkQueue* queue) {
  KeepQueue(call, family, false, *queue);
}

void GetDeviceQueue2::After(VkCall& call, VkDevice, const VkDeviceQueueInfo2* info,
                            VkQueue* queue) {
  // VK_KHR_internally_synchronized_queues has a flag for such queues.
  const bool synchronized = (info->flags & ~VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT) != 0;
  KeepQueue(call, info->queueFamilyIndex, synchronized, *queue);
}

}  // namespace gpusan::vulkan
