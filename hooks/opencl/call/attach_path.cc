// The state of the attach paths.
#include "hooks/opencl/call/attach_path.h"

#include "hooks/common/guard.h"

namespace gpusan::opencl {
namespace {

Hooks g_hooks;
void (*g_before_calls)(Tracker& tracker) = nullptr;

}  // namespace

void SetHooks(const Hooks& hooks) {
  g_hooks = hooks;
  ForgetTrackers();
}

void RunBeforeCalls(void (*function)(Tracker& tracker)) { g_before_calls = function; }

const Hooks& CurrentHooks() { return g_hooks; }

void ForgetTrackers() {
  for (std::atomic<Tracker*>& kept : attach_internal::trackers)
    kept.store(nullptr, std::memory_order_release);
}

uint64_t CallsSeen() { return attach_internal::calls.total(); }

namespace attach_internal {

[[gnu::noinline, gnu::cold]] Tracker* RequestTracker(AttachPath path) {
  if ((g_hooks.attach_paths >> path & 1) == 0 || g_hooks.tracker == nullptr) return nullptr;
  ReentryGuard guard;
  Tracker* tracker = g_hooks.tracker(path);
  if (g_before_calls != nullptr && tracker != nullptr) {
    // The tracker is not kept, so that each call comes here.
    g_before_calls(*tracker);
    return tracker;
  }
  trackers[path].store(tracker, std::memory_order_release);
  return tracker;
}

}  // namespace attach_internal

}  // namespace gpusan::opencl
