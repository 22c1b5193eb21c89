// Replay: commands that set, reset and wait for events.
#include <algorithm>
#include <mutex>

#include "hooks/vulkan/submission/replayer.h"

namespace gpusan::vulkan {

template <typename Record>
EventState* Replayer::UseEvent(const Record& record, EventSignal* signal) {
  if (!Hold(record.event, record.generation, record)) return nullptr;
  auto& event = static_cast<EventState&>(*record.event->part);
  std::lock_guard lock(event.lock);
  if (event.used_on != &queue_) {
    // Commands of another queue that are not known to be complete may set or reset it.
    if (!tracker_.ordering().host().Completed(event.used_epoch)) event.signal = EventSignal();
    event.signal.known_since = 0;
    event.signal.waiter = nullptr;
  }
  event.used_on = &queue_;
  event.used_epoch = command_.epoch;
  *signal = event.signal;
  return &event;
}

void Replayer::Set(const RecordedSetEvent& record) {
  EventSignal signal;
  EventState* event = UseEvent(record, &signal);
  if (event == nullptr) return;
  // The event is still set, as an earlier wait for it shows: the command has no effect and defines
  // no dependency (Vulkan 1.3 §7.5).
  if (signal.by == EventSignal::By::kCommand && event->queue == &queue_ &&
      event->waited_at > event->position)
    return;
  events_.Set(signal, record);
  std::lock_guard lock(event->lock);
  event->signal = signal;
  event->queue = &queue_;
  event->setter = record.call;
  event->setter_site = record.site;
  event->position = position_;
  event->epoch = command_.epoch;
}

void Replayer::Reset(const RecordedResetEvent& record) {
  EventSignal signal;
  EventState* event = UseEvent(record, &signal);
  if (event == nullptr) return;
  // A recording reports the order after its own waits.
  const bool report = signal.waiter != nullptr && event->waited_at < begin_ &&
                      !tracker_.ordering().host().Completed(event->waited_epoch);
  uint64_t ordered = signal.ordered;
  if (report) {
    Reach reach;
    reach.chain = ordered;
    ordered = queue_.order.CatchUp(event->waited_at, event->waited_at, event->waited_epoch, ordered,
                                   0, false, &reach)
                  ? ordered | reach.chain
                  : ~uint64_t{0};
  }
  events_.Reset(signal, record, position_, ordered, report, label_);
  std::lock_guard lock(event->lock);
  event->signal = signal;
  event->queue = nullptr;
  event->position = position_;
  event->epoch = command_.epoch;
}

void Replayer::CheckWait(const RecordedEventWait& record) {
  // The command of another queue that set the event last.
  const CallInfo* other_setter = nullptr;
  SiteId other_site = kUnknownSite;
  if (record.event->generation.load(std::memory_order_relaxed) == record.generation) {
    auto& used = static_cast<EventState&>(*record.event->part);
    std::lock_guard lock(used.lock);
    if (used.queue != nullptr && used.queue != &queue_) {
      other_setter = used.setter;
      other_site = used.setter_site;
    }
  }
  EventSignal signal;
  EventState* event = UseEvent(record, &signal);
  if (event == nullptr) return;
  // With the host stage the host may set it, too.
  if (other_setter != nullptr && (record.dependency.stages & VK_PIPELINE_STAGE_2_HOST_BIT) == 0)
      [[unlikely]] {
    events_.WaitForOtherQueue(*other_setter, other_site, record, label_);
    signal = EventSignal();
  }
  // A recording reports waits for what it resets and sets itself.
  events_.Wait(signal, record, signal.known_since < begin_, label_);
  std::lock_guard lock(event->lock);
  event->signal = signal;
  event->waited_at = position_;
  event->waited_epoch = command_.epoch;
}

void Replayer::Limit(const RecordedEventScope& record) {
  Position set_at = kNoLimit;
  if (record.event->generation.load(std::memory_order_relaxed) == record.generation) {
    auto& event = static_cast<EventState&>(*record.event->part);
    std::lock_guard lock(event.lock);
    if (event.queue == &queue_) set_at = event.position;
  }
  limit_ = record.first ? set_at : std::max(limit_, set_at);
}

void Replayer::Wait(const RecordedWaitEvent& record) {
  if (record.event->generation.load(std::memory_order_relaxed) != record.generation) return;
  auto& event = static_cast<EventState&>(*record.event->part);
  Position limit;
  {
    std::lock_guard lock(event.lock);
    // Set by the host: no command of the queue precedes it.
    if (event.queue != &queue_) {
      queue_.host_gate = command_.epoch;
      return;
    }
    limit = event.position;
  }
  queue_.order.Add(*record.barrier, record.call, record.site, limit, position_);
}

}  // namespace gpusan::vulkan
