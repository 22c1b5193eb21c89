// Rule event: a call breaks a rule of its API that drivers need not check. The fault has a row with
// its texts in call_faults.def.
#pragma once

#include <vector>

#include "tracker/calls/call.h"

namespace gpusan::rules {

enum class CallFault : uint8_t {
#define GPUSAN_CALL_FAULT(check, symbol, ...) symbol,
#include "tracker/rules/faults/call_faults.def"
#undef GPUSAN_CALL_FAULT
};

struct FaultyCall {
  CallFault fault{};
  std::vector<Fact> values;        // as the row of the fault names them
  const Object* object = nullptr;  // the finding names its creation; may be nullptr
  const Object* other = nullptr;   // a second object of the finding; may be nullptr
};

// Adds the finding of the check that the row of the fault names.
void OnFaultyCall(const FaultyCall& use, Call& call);

}  // namespace gpusan::rules
