// Start, match and end of command runs.
#include "tracker/order/command_run.h"

#include <algorithm>

namespace gpusan {
namespace {

Epoch Before(Epoch epoch) { return Epoch(epoch.timeline(), epoch.tick() - 1); }

}  // namespace

bool CommandRun::GoesOnAwaited(const CallInfo& call, SiteId site, Epoch epoch) {
  const Step& step = *next_;
  if (step.call != (KeyOf(&call) | kAwaited) || step.site != site ||
      ends_ != now_->load(std::memory_order_relaxed))
    return false;
  if (step.after_wait && !(awaited_.load(std::memory_order_relaxed) == Before(epoch))) return false;
  next_ = step.then;
  if (next_->after_wait) expected_.store(epoch, std::memory_order_relaxed);
  return true;
}

void CommandRun::Begin(Epoch epoch, const CallInfo& call, SiteId site,
                       const std::atomic<uint32_t>* ends) {
  first_after_wait_ = awaited_.load(std::memory_order_relaxed) == Before(epoch);
  const Past now = {KeyOf(&call) | (first_after_wait_ ? kAwaited : 0), site};
  // Use the length of the previous cycle if it still fits, otherwise the shortest that fits.
  uint32_t cycle = cycle_;
  bool again = true;
  if (last_[cycle - 1] != now) {
    cycle = 1;
    while (cycle <= kMost && !ContinuesCycle(now, cycle)) ++cycle;
    if (cycle > kMost) {
      cycle = 1;
      again = false;
    }
  }
  cycle_ = cycle;
  for (uint32_t i = 0; i < cycle; ++i) {
    const Past& past = i == 0 ? now : last_[cycle - 1 - i];
    // A wait belongs to the cycle only if it has recurred. Otherwise it ends a section of the
    // program.
    steps_[i] = {past.call & ~kAwaited, &steps_[i + 1 == cycle ? 0 : i + 1], past.site,
                 again && (past.call & kAwaited) != 0};
  }
  for (uint32_t i = 0; i < cycle; ++i) {
    if (steps_[i].after_wait || steps_[i].then->after_wait) steps_[i].call |= kAwaited;
  }
  next_ = steps_[0].then;
  now_ = ends;
  ends_ = ends->load(std::memory_order_relaxed);
  first_ = epoch.tick();
  if (next_->after_wait) expected_.store(epoch, std::memory_order_relaxed);
}

uint64_t CommandRun::End(uint64_t tick, bool* awaited) {
  *awaited = false;
  if (first_ == 0) return 0;
  const Epoch expected = expected_.load(std::memory_order_relaxed);
  expected_.store(Epoch(), std::memory_order_relaxed);
  *awaited = next_->after_wait && awaited_.load(std::memory_order_relaxed) == expected;
  const uint64_t length = tick - first_;
  const auto news = static_cast<uint32_t>(std::min<uint64_t>(length, kPast));
  for (uint32_t i = kPast; i-- > news;) last_[i] = last_[i - news];
  auto index = static_cast<uint32_t>(next_ - steps_);
  for (uint32_t i = 0; i < news; ++i) {
    index = (index == 0 ? cycle_ : index) - 1;
    const bool after_wait = i + 1 == length ? first_after_wait_ : steps_[index].after_wait;
    last_[i] = {(steps_[index].call & ~kAwaited) | (after_wait ? kAwaited : 0), steps_[index].site};
  }
  next_ = &steps_[kMost];
  first_ = 0;
  return length;
}

void CommandRun::Forget() {
  next_ = &steps_[kMost];
  first_ = 0;
  cycle_ = 1;
  std::fill_n(last_, kPast, Past());
  expected_.store(Epoch(), std::memory_order_relaxed);
  awaited_.store(Epoch(), std::memory_order_relaxed);
}

}  // namespace gpusan
