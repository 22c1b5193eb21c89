// The one tracker of the process, for the calls of all attach paths.
#pragma once

#include <atomic>

#include "tracker/tracker.h"

namespace gpusan {

struct BlockChange;

// Returns the tracker. The first call creates it with the options, host memory and sink of the
// Runtime; it is never destroyed. In the child of a fork the next call creates a new one.
// Thread-safe.
Tracker& Shadow();

// Returns the tracker, or nullptr if no GPU API was used. Creates none. Thread-safe.
Tracker* ShadowIfAny();

// An API whose hooks feed the shadow. All functions are async-signal-safe or called when the
// process ends.
struct ApiPart {
  Api api;
  uint64_t (*calls_seen)();
  const Vocabulary& (*words)();
  void (*forget)();  // in the child of a fork: forgets all objects of the parent
  // Bytes that memory pools reserve on their devices, as last observed; calls no driver. nullptr:
  // the API has no pools.
  uint64_t (*pool_reserve)() = nullptr;
  // Reports findings that are still pending when the process ends. nullptr: there are none.
  void (*at_end)(Tracker& tracker) = nullptr;
  // Applies deferred commands, before other code reads the state. nullptr: the hooks defer nothing.
  void (*settle)() = nullptr;
  // Drops the cached functions of files that were unloaded. Takes no lock. nullptr: there are none.
  void (*after_unload)() = nullptr;
  // True while calls may be recorded together with addresses, to run later. nullptr: never.
  bool (*recording)() = nullptr;
  // Returns the number of allocations without guard zones although the option is set.
  // nullptr: the API has no guard zones.
  uint64_t (*unguarded)() = nullptr;
  // Applies the change after the calls that the API has deferred, perhaps later and on another
  // thread. Returns false, without side effects, if the caller must settle and apply it. nullptr:
  // the hooks defer no such changes.
  bool (*defer_block)(Tracker& tracker, const BlockChange& change) = nullptr;
  // Returns whether pending commands may run only after later code of the program or a command of
  // another API. nullptr: that is not known, or calls are deferred.
  bool (*may_run_later)(const Tracker& tracker) = nullptr;
};
// Adds an API. `part` must have static storage. Idempotent. Thread-safe.
void AddApi(const ApiPart& part);

// Calls `visit(const ApiPart&)` for each API that was added, in the order of apis.def. Thread-safe.
template <typename Visitor>
void ForEachApi(Visitor visit);

// Returns the API's vocabulary; nullptr if the API was not added.
const Vocabulary* WordsOf(Api api);

namespace shadow_internal {
extern constinit std::atomic<const ApiPart*> parts[kApiCount];  // by Api
}  // namespace shadow_internal

template <typename Visitor>
void ForEachApi(Visitor visit) {
  for (std::atomic<const ApiPart*>& slot : shadow_internal::parts) {
    if (const ApiPart* part = slot.load(std::memory_order_acquire); part != nullptr) visit(*part);
  }
}

}  // namespace gpusan
