// Queues: the order of what is submitted to each.
#pragma once

#include <vulkan/vulkan_core.h>

#include <deque>
#include <memory>
#include <mutex>

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/call/labels.h"
#include "hooks/vulkan/objects/batch.h"
#include "tracker/scopes/submission_order.h"

namespace gpusan::vulkan {

// What a batch runs, for the time when the device is lost.
struct RecentBatch {
  static constexpr size_t kCommands = 4;
  struct Work {
    const CallInfo* call = nullptr;
    SiteId site = kUnknownSite;
  };
  const CallInfo* call = nullptr;  // that submitted it
  SiteId site = kUnknownSite;
  Epoch epoch;
  uint64_t number = 0;         // as of Batch
  Work commands[kCommands];    // its last ones; a ring
  uint64_t command_count = 0;  // those of one call that follow each other are one

  void Note(const CallInfo* command, SiteId from) {
    commands[command_count++ % kCommands] = {command, from};
  }
};

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
  // Its last batches that have commands; a ring, guarded by the lock.
  static constexpr uint64_t kRecent = 16;
  RecentBatch recent[kRecent];
  uint64_t recent_count = 0;
  std::deque<std::unique_ptr<Batch>>
      parked;  // behind a timeline value that nothing submitted reaches

  TimelineId timeline() const { return queue->lanes.front().timeline; }
};

// nullptr for a handle that no vkGetDeviceQueue has given.
QueueState* StateOf(VkCall& call, VkQueue queue);

struct GetDeviceQueue {
  void Before(VkCall&, VkDevice, uint32_t, uint32_t, VkQueue*) {}
  void After(VkCall& call, VkDevice device, uint32_t family, uint32_t index, VkQueue* queue);
};
struct GetDeviceQueue2 {
  void Before(VkCall&, VkDevice, const VkDeviceQueueInfo2*, VkQueue*) {}
  void After(VkCall& call, VkDevice device, const VkDeviceQueueInfo2* info, VkQueue* queue);
};

}  // namespace gpusan::vulkan
