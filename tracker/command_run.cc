// How runs of commands begin and end.
#include "tracker/command_run.h"

#include <algorithm>

namespace gpusan {

void CommandRun::Begin(uint64_t tick, const CallInfo& call, SiteId site, uint32_t ends) {
  const CommandPlace now = {&call, site};
  // As often as before, or else as seldom as it may be.
  uint32_t turn = turn_;
  if (last_[turn - 1] != now) {
    turn = 1;
    while (turn <= kMost && last_[turn - 1] != now) ++turn;
    if (turn > kMost) turn = 1;
  }
  turn_ = turn;
  for (uint32_t i = 0; i < turn; ++i) {
    const CommandPlace& place = i == 0 ? now : last_[turn - 1 - i];
    steps_[i] = {place.call, place.site, (i + 1) % turn};
  }
  next_ = steps_[0].then;
  ends_ = ends;
  first_ = tick;
}

uint64_t CommandRun::End(uint64_t tick) {
  next_ = kMost;
  if (first_ == 0) return 0;
  const uint64_t length = tick - first_;
  CommandPlace last[kMost];
  for (uint64_t i = 0; i < kMost; ++i)
    last[i] = i < length ? place((length - 1 - i) % turn_) : last_[i - length];
  std::copy_n(last, kMost, last_);
  first_ = 0;
  return length;
}

void CommandRun::Forget() {
  next_ = kMost;
  first_ = 0;
  turn_ = 1;
  std::fill_n(last_, kMost, CommandPlace());
}

}  // namespace gpusan
