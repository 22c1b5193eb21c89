// Times that a program asked for before their commands were complete, and never got.
//
// A program may ask again until it gets the time, or do without the time of some rounds. So a
// finding needs the end of the process: no call of the same function of the program got a time, and
// no call got a time for the same objects. Programs that ask for the times of an earlier round
// enqueue commands in between, so that only times of the newest command of a queue count.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tracker/base/spin_lock.h"
#include "tracker/calls/call.h"

namespace gpusan {

// The queries of one API. Thread-safe; a fixed number of call sites is remembered.
class MissingTimes {
 public:
  // Records a call that asked for a time, and whether it got one. `first`, `second`: the handles of
  // the objects. Requires, if there is no time: IsNewest.
  void Note(Call& call, bool got_time, uintptr_t first, uintptr_t second);
  // Whether no command was enqueued in the queue of the command after it.
  static bool IsNewest(Tracker& tracker, Epoch command);
  // Reports the call sites that got no time: their calls returned `code`. Call it when the process
  // ends.
  void Report(Tracker& tracker, Api api, const Vocabulary& words, const std::string& code);

 private:
  struct Query {
    SiteId site = kUnknownSite;
    const CallInfo* call = nullptr;
    uintptr_t first = 0, second = 0;  // of the last call that got no time
    uint64_t missing = 0;             // number of such calls
    bool got_time = false;
  };

  SpinLock lock_;               // guards the members below
  std::vector<Query> queries_;  // by call site
  uint64_t times_ = 0;
};

}  // namespace gpusan
