// OnDeviceLost (call/call.h): reports the pending work of a lost device. Its later work is not
// checked.
#include <algorithm>
#include <mutex>
#include <vector>

#include "hooks/vulkan/submission/submits.h"

namespace gpusan::vulkan {
namespace {

// Adds the batches of the queue that are not known to be complete, newest first.
void Collect(VkCall& call, QueueState& queue, std::vector<DeviceFault::Pending>* pending) {
  std::lock_guard lock(queue.lock);
  for (uint64_t i = 0; i < std::min<uint64_t>(queue.recent_count, QueueState::kRecent); ++i) {
    const RecentBatch& batch = queue.recent[(queue.recent_count - 1 - i) % QueueState::kRecent];
    if (call.tracker().ordering().host().Completed(batch.epoch)) continue;
    DeviceFault::Pending& one = pending->emplace_back();
    one.call = batch.call;
    one.site = batch.site;
    one.node_count = batch.command_count;
    for (uint64_t j = 0; j < std::min<uint64_t>(batch.command_count, RecentBatch::kCommands); ++j) {
      const RecentBatch::Work& work =
          batch.commands[(batch.command_count - 1 - j) % RecentBatch::kCommands];
      one.nodes.push_back({work.call, work.site, nullptr, {}});
    }
  }
}

}  // namespace

void OnDeviceLost(VkCall& call) {
  Device& device = call.device();
  const bool already_lost = device.lost.exchange(true, std::memory_order_relaxed);
  DeviceFault fault;
  if (!already_lost) {
    std::vector<QueueState*> queues;
    {
      std::lock_guard lock(device.queues_lock);
      queues = device.queues;
    }
    for (QueueState* queue : queues) Collect(call, *queue, &fault.pending);
  }
  ObserveDeviceIdle(call, device);
  if (already_lost) return;
  fault.meaning = "the device is lost: its work faulted or hung, or it was reset or removed";
  fault.extent = "of the device";
  fault.recovery = "to continue, destroy the device and all its objects, and create a new device";
  fault.recorder = "command buffer";
  fault.recorded = "command";
  call.tracker().ReportDeviceFault(call, fault);
}

}  // namespace gpusan::vulkan
