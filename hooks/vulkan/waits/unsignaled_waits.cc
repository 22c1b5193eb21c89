// Submitted work that waits for ever for a semaphore which nothing signals.
#include "hooks/vulkan/waits/unsignaled_waits.h"

#include <mutex>

#include "hooks/vulkan/submission/submits.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

bool IsReached(const Batch::Semaphore& wait) {
  if (wait.object->generation.load(std::memory_order_relaxed) != wait.generation) return true;
  std::lock_guard lock(wait.state->lock);
  std::vector<Snapshot> points;
  return wait.state->foreign ||
         (wait.state->timeline ? wait.state->signals.PointsOf(wait.value, &points)
                               : wait.state->signals.pending());
}

void Report(Call& call, const Batch& batch) {
  for (const Batch::Semaphore& wait : batch.waits) {
    if ((wait.state->timeline && wait.reported) || IsReached(wait)) continue;
    rules::EndlessWait endless;
    endless.object = wait.object;
    endless.timeline = wait.state->timeline;
    endless.value = wait.value;
    endless.waiter = batch.call;
    endless.site = batch.site;
    rules::OnEndlessWait(endless, call);
    return;
  }
}

}  // namespace

void CheckWaitsAtEnd(Call& call, Device& device) {
  // A thread that was stopped inside gpusan may hold a lock.
  std::unique_lock lock(device.queues_lock, std::try_to_lock);
  if (!lock.owns_lock()) return;
  for (QueueState* queue : device.queues) {
    std::unique_lock queue_lock(queue->lock, std::try_to_lock);
    // The batches parked after the first one wait for it, at least.
    if (queue_lock.owns_lock() && !queue->parked.empty()) Report(call, *queue->parked.front());
  }
}

}  // namespace gpusan::vulkan
