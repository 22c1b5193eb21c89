// The commands that the program has flushed.
#include "hooks/opencl/objects/flushes.h"

#include <mutex>

#include "tracker/model/clock.h"
#include "tracker/rules/events/unflushed_wait.h"

namespace gpusan::opencl {
namespace {

// The newest command of each in-order queue that a call has flushed. The host clock has those for
// which the host has waited.
constinit HostClock g_flushed;

void Flushed(Queue& queue) {
  std::lock_guard lock(queue.lock);
  if (!queue.in_order || queue.lanes.empty()) return;
  const Lane& lane = queue.lanes.front();
  if (lane.tick != 0) g_flushed.Join(Epoch(lane.timeline, lane.tick));
}

// Returns the live in-order queue of a command; nullptr: none.
Queue* InOrderQueueOf(Tracker& tracker, Epoch epoch) {
  Queue* queue = tracker.ordering().QueueOf(epoch);
  return queue != nullptr && queue->in_order ? queue : nullptr;
}

}  // namespace

void NoteFlush(ClCall& call, uintptr_t queue) {
  Object* object = call.tracker().objects().Find(Api::kOpenCL, queue);
  if (object != nullptr && object->kind == ObjectKind::kQueue && object->live())
    Flushed(*static_cast<Queue*>(object));
}

void NoteFlush(ClCall& call, absl::Span<Event* const> events) {
  TimelineId last = 0;
  for (const Event* event : events) {
    if (!event->epoch.valid() || event->epoch.timeline() == last) continue;
    last = event->epoch.timeline();
    if (Queue* queue = InOrderQueueOf(call.tracker(), event->epoch); queue != nullptr)
      Flushed(*queue);
  }
}

void CheckFlushed(ClCall& call, const Command& command, absl::Span<Event* const> waits) {
  Tracker& tracker = call.tracker();
  for (const Event* event : waits) {
    const Epoch epoch = event->epoch;
    if (event->kind != ObjectKind::kEvent || !epoch.valid() || event->gates != 0 ||
        epoch.timeline() == command.epoch.timeline() ||
        tracker.ordering().host().Completed(epoch) || g_flushed.Completed(epoch)) {
      continue;
    }
    const Queue* queue = InOrderQueueOf(tracker, epoch);
    if (queue == nullptr) continue;
    rules::OnUnflushedWait({event, queue}, call);
    return;
  }
}

}  // namespace gpusan::opencl
