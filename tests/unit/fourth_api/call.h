// One intercepted call of the toy API, and what the shared wrapper needs of it.
#pragma once

#include "tests/unit/fourth_api/toy.h"
#include "tracker/calls/call.h"
#include "tracker/tracker.h"

namespace gpusan::toy {

// The names and clauses of the toy API. Thread-safe.
const Vocabulary& Words();

// The tracker for the calls of the program; nullptr: calls are passed on.
extern Tracker* tracker;

// A call without findings.
struct LightCall {
  Tracker& tracker;
  const CallInfo& info;
  const void* return_address;
  const void* frame_address;
};

class ToyCall : public Call {
 public:
  explicit ToyCall(const LightCall& light)
      : Call(light.tracker, light.info, Words(), light.return_address, light.frame_address) {}
  void Done(ToyResult result) { Finish(result); }
};

// The description for hooks/common/wrapper.h.
struct ToyApi {
  using FastCall = LightCall;
  using Call = ToyCall;
  static bool Succeeded(ToyResult result) { return result == kToySuccess; }
  template <typename Handler>
  static void Settle() {}
};

}  // namespace gpusan::toy
