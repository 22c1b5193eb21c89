// The state of the attach paths.
#include "hooks/opencl/call/attach_path.h"

#include "hooks/common/guard.h"

namespace gpusan::opencl {
namespace {

Hooks g_hooks;

}  // namespace

void SetHooks(const Hooks& hooks) {
  g_hooks = hooks;
  ForgetTrackers();
}

const Hooks& CurrentHooks() { return g_hooks; }

void ForgetTrackers() {
  for (std::atomic<Tracker*>& tracker : attach_internal::trackers)
    tracker.store(nullptr, std::memory_order_release);
}

uint64_t CallsSeen() { return attach_internal::calls.total(); }

namespace attach_internal {

[[gnu::noinline, gnu::cold]] Tracker* AskForTracker(AttachPath path) {
  if ((g_hooks.attach_paths >> path & 1) == 0 || g_hooks.tracker == nullptr) return nullptr;
  ReentryGuard guard;
  Tracker* tracker = g_hooks.tracker(path);
  trackers[path].store(tracker, std::memory_order_release);
  return tracker;
}

}  // namespace attach_internal

}  // namespace gpusan::opencl
