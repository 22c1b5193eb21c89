// What the command log takes up without an entry: commands of a queue that repeat those before them.
#pragma once

#include <cstdint>

#include "tracker/ids.h"

namespace gpusan {

struct CallInfo;

// Where a command comes from.
struct CommandPlace {
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;

  bool operator==(const CommandPlace&) const = default;
};

// The last commands of an in-order queue: its run, which is one call and place again and again, or up
// to four in turn. Guarded by the queue's lock. Belongs to the command log (command_log.h).
class CommandRun {
 public:
  static constexpr uint32_t kMost = 4;  // places in turn

  // The run takes the command up, each of whose ticks is the next one: all that it costs then. `ends`:
  // a number that was another one when this run had to end.
  bool GoesOn(const CallInfo& call, SiteId site, uint32_t ends) {
    const Step& step = steps_[next_];
    if (step.call != &call || step.site != site || ends_ != ends) return false;
    next_ = step.then;
    return true;
  }

  // A run begins with the command at `tick`, with places that came in turn before if they may do so
  // again.
  void Begin(uint64_t tick, const CallInfo& call, SiteId site, uint32_t ends);
  // The command at `tick`, if there is one, is no part of it. How long it was; 0: there was none.
  uint64_t End(uint64_t tick);
  // The queue is another one.
  void Forget();

  uint64_t first() const { return first_; }  // its tick; 0: there is no run
  uint32_t turn() const { return turn_; }    // places
  CommandPlace place(uint32_t index) const { return {steps_[index].call, steps_[index].site}; }

  bool listed = false;  // by the log

 private:
  struct Step {
    const CallInfo* call = nullptr;
    SiteId site = kUnknownSite;
    uint32_t then = 0;  // the step behind it
  };

  // What is looked at each time lies together.
  uint32_t next_ = kMost;
  uint32_t ends_ = 0;
  Step steps_[kMost + 1];  // the last stays empty: nothing goes on from there
  uint32_t turn_ = 1;
  uint64_t first_ = 0;
  CommandPlace last_[kMost];  // commands before the run, newest first
};

}  // namespace gpusan
