// The process's one tracker, whichever doors its calls come through.
#pragma once

#include <atomic>

#include "tracker/tracker.h"

namespace gpusan {

// Made at the first call of a GPU API, wired to the options, host memory and sink of the Runtime;
// never destroyed. In the child of a fork the next call makes a new one. Thread-safe.
Tracker& Shadow();

// The same without making one: nullptr if no GPU API was used.
Tracker* ShadowIfAny();

// An API whose hooks feed the shadow. All functions are async-signal-safe or called when the
// process ends.
struct ApiPart {
  Api api;
  uint64_t (*calls_seen)();
  const Vocabulary& (*words)();
  void (*forget)();  // in the child of a fork: nothing of the parent's is known any more
  // What memory pools keep from their devices, as last known; asks no driver. nullptr: there are
  // none.
  uint64_t (*pool_reserve)() = nullptr;
  // Tells what was found and not told yet, when the process ends. nullptr: there is nothing.
  void (*at_end)(Tracker& tracker) = nullptr;
  // Judges what the hooks have put off, before others look. nullptr: they put off nothing.
  void (*settle)() = nullptr;
  // Drops the cached functions of files that were unloaded. Takes no lock. nullptr: there are none.
  void (*after_unload)() = nullptr;
};
// `part` is static. Adding one twice adds nothing.
void AddApi(const ApiPart& part);

// Calls `visit(const ApiPart&)` for those that were added. Thread-safe.
template <typename Visitor>
void ForEachApi(Visitor visit);

// How that API says things; nullptr where it has no part.
const Vocabulary* WordsOf(Api api);

namespace shadow_internal {
extern constinit std::atomic<const ApiPart*> parts[4];
}  // namespace shadow_internal

template <typename Visitor>
void ForEachApi(Visitor visit) {
  for (std::atomic<const ApiPart*>& slot : shadow_internal::parts) {
    if (const ApiPart* part = slot.load(std::memory_order_acquire); part != nullptr) visit(*part);
  }
}

}  // namespace gpusan
