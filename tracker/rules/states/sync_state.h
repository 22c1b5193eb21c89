// The rule event of an object, such as a fence, an event or a command buffer, in a state that does
// not allow the call.
#pragma once

#include <string>

#include "tracker/calls/call.h"

namespace gpusan::rules {

struct SyncStateUse {
  // The faults, with their texts, are in sync_state.def.
  enum class Fault : uint16_t {
#define GPUSAN_SYNC_FAULT(symbol, ...) symbol,
#define GPUSAN_SYNC_FAULT_OF(check, symbol, ...) symbol,
#include "tracker/rules/states/sync_state.def"
#undef GPUSAN_SYNC_FAULT
#undef GPUSAN_SYNC_FAULT_OF
  };
  Fault fault = Fault::kFenceSignaled;
  const Object* object = nullptr;
  const CallInfo* earlier = nullptr;  // the earlier call that the fault depends on; nullptr: none
  SiteId site = kUnknownSite;         // of `earlier`
  std::string value, other;           // as the text of the fault needs them
};
void OnSyncStateUse(const SyncStateUse& use, Call& call);

// The check that reports the fault.
constexpr RuleId RuleOf(SyncStateUse::Fault fault) {
  constexpr RuleId kRules[] = {
#define GPUSAN_SYNC_FAULT(...) RuleId::kSyncObjectMisuse,
#define GPUSAN_SYNC_FAULT_OF(check, ...) RuleId::check,
#include "tracker/rules/states/sync_state.def"
#undef GPUSAN_SYNC_FAULT
#undef GPUSAN_SYNC_FAULT_OF
  };
  return kRules[static_cast<size_t>(fault)];
}
// Adds the finding of the fault. The check that reports it calls this.
void AddSyncStateFault(const SyncStateUse& use, Call& call);

}  // namespace gpusan::rules
