// Rule event: a call uses an object that one thread at a time may use, while another thread is
// inside of a call that uses it.
#pragma once

#include <cstdint>

#include "tracker/calls/call.h"
#include "tracker/objects/object.h"

namespace gpusan::rules {

struct ConcurrentUse {
  const Object* object = nullptr;   // never nullptr
  const CallInfo* other = nullptr;  // the other thread's call; never nullptr
  SiteId site = kUnknownSite;       // of the other call
  int32_t other_thread = 0;         // as gettid()
  bool of_launch = false;           // of a kernel: one of the calls launches it
};

void OnConcurrentUse(const ConcurrentUse& use, Call& call);

// The check that reports the use.
constexpr RuleId RuleOf(const ConcurrentUse& use) {
  const bool recording = use.object->kind == ObjectKind::kCommandBuffer ||
                         use.object->kind == ObjectKind::kCommandPool;
  return recording ? RuleId::kCommandBufferInUse : RuleId::kSyncObjectMisuse;
}
// Adds the finding. The check that reports it calls this.
void AddConcurrentUse(const ConcurrentUse& use, Call& call);

}  // namespace gpusan::rules
