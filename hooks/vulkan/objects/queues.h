// Queues: the order of the work that is submitted to each.
#pragma once

#include <vulkan/vulkan_core.h>

#include <deque>
#include <memory>
#include <mutex>

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/call/labels.h"
#include "hooks/vulkan/objects/batch.h"
#include "hooks/vulkan/objects/lone_uses.h"
#include "tracker/scopes/submission_order.h"

namespace gpusan::vulkan {

// The commands of a batch, for the report of a lost device.
struct RecentBatch {
  static constexpr size_t kCommands = 4;
  struct Work {
    const CallInfo* call = nullptr;
    SiteId site = kUnknownSite;
  };
  const CallInfo* call = nullptr;  // the submission
  SiteId site = kUnknownSite;
  Epoch epoch;
  uint64_t number = 0;         // as in Batch
  Work commands[kCommands];    // its last commands; a ring
  uint64_t command_count = 0;  // consecutive records of one call count once

  void Note(const CallInfo* command, SiteId from) {
    commands[command_count++ % kCommands] = {command, from};
  }
};

// The hooks' state of a queue. The program must use a queue from one thread at a time; the lock
// serializes programs that do not.
class QueueState {
 public:
  QueueState(Device& device, VkQueue handle, uint32_t family, bool synchronized)
      : device(device), handle(handle), family(family), synchronized(synchronized) {}

  Device& device;
  const VkQueue handle;
  const uint32_t family;
  const bool synchronized;  // the driver may synchronize its uses by several threads itself
  LastUser user;
  Queue* queue = nullptr;  // the tracker's queue; its timeline has one tick for each batch

  std::mutex lock;
  SubmissionOrder order;  // guarded by lock
  LabelStack labels;      // guarded by lock
  // The last batch that waits for an event that no queue has set: the host may delay it.
  Epoch host_gate;
  uint64_t batches = 0;  // number of submitted batches; guarded by lock
  // The last batches with commands; a ring, guarded by lock.
  static constexpr uint64_t kRecent = 16;
  RecentBatch recent[kRecent];
  uint64_t recent_count = 0;
  std::deque<std::unique_ptr<Batch>>
      parked;  // waiting for a semaphore value that no submitted work signals; guarded by lock

  TimelineId timeline() const { return queue->lanes.front().timeline; }
};

// nullptr for a handle that vkGetDeviceQueue did not return.
QueueState* StateOf(VkCall& call, VkQueue queue);

// The call uses the queue until `uses` is destroyed. Adds a finding if another thread is inside of
// a call that uses it, or that uses all queues of the device.
void UseQueueAlone(VkCall& call, UsesOfCall& uses, VkQueue queue);
// The same for all queues of the device of the call.
void UseAllQueuesAlone(VkCall& call, UsesOfCall& uses);

struct GetDeviceQueue {
  void Before(VkCall&, VkDevice, uint32_t, uint32_t, VkQueue*) {}
  AfterOf<PFN_vkGetDeviceQueue> After;
};
struct GetDeviceQueue2 {
  void Before(VkCall&, VkDevice, const VkDeviceQueueInfo2*, VkQueue*) {}
  AfterOf<PFN_vkGetDeviceQueue2> After;
};

}  // namespace gpusan::vulkan
