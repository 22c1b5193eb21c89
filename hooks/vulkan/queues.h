// Queues: the order of what is submitted to each.
#pragma once

#include <vulkan/vulkan_core.h>

#include <deque>
#include <memory>
#include <mutex>

#include "hooks/vulkan/call.h"
#include "hooks/vulkan/labels.h"
#include "tracker/submission_order.h"

namespace gpusan::vulkan {

struct Batch;

// The hooks' part of a queue. The program may use a queue in one thread at a time; one that does
// not is served in turn, by the lock.
class QueueState {
 public:
  QueueState(Device& device, VkQueue handle, uint32_t family)
      : device(device), handle(handle), family(family) {}

  Device& device;
  const VkQueue handle;
  const uint32_t family;
  Queue* queue = nullptr;  // the tracker's; its timeline has one tick a batch

  std::mutex lock;
  SubmissionOrder order;  // guarded by the lock
  LabelStack labels;      // the same
  // The last batch that waits for an event that a queue has not set: the host may hold it back.
  Epoch host_gate;
  uint64_t batches = 0;  // so far, guarded by the lock
  std::deque<std::unique_ptr<Batch>>
      parked;  // behind a timeline value that nothing submitted reaches

  TimelineId timeline() const { return queue->lanes.front().timeline; }
};

// nullptr for a handle that no vkGetDeviceQueue has given.
QueueState* StateOf(VkCall& call, VkQueue queue);

}  // namespace gpusan::vulkan
