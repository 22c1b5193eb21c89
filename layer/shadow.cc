// Makes the tracker and tells it of host memory, the end of the process and forks.
#include "layer/shadow.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <string>

#include "hooks/host/host_door.h"
#include "hooks/host/site.h"
#include "hooks/opencl/door.h"
#include "hooks/opencl/wrapper.h"
#include "layer/runtime.h"

namespace gpusan {
namespace {

constinit std::atomic<Tracker*> g_shadow{nullptr};
constinit SpinLock g_making;

class FreeObserver final : public HostObserver {
 public:
  void OnHostFree(const HostBlock& block, SiteId site) override {
    Tracker* shadow = ShadowIfAny();
    if (shadow == nullptr || !shadow->host_memory_busy()) return;
    static constexpr CallInfo kFree = {"free", Api::kHost};
    static constexpr CallInfo kUnmap = {"munmap", Api::kHost};
    Call call(*shadow, block.kind == HostBlockKind::kHeap ? kFree : kUnmap, opencl::Words(),
              nullptr, nullptr, site);
    shadow->OnHostFree(call, block);
    call.EmitNow();
  }
};

void AtEnd(EndRecord* end, bool leaks) {
  Tracker* shadow = ShadowIfAny();
  end->calls.emplace_back("opencl", opencl::CallsSeen());
  if (shadow == nullptr) return;
  if (leaks) shadow->ReportLeaks(opencl::Words(), Api::kOpenCL, nullptr);
  if (shadow->dropped() != 0) end->dropped.emplace_back("history", shadow->dropped());
  const Ledger::Totals& totals = shadow->ledger().Of(Api::kOpenCL);
  end->ledger.push_back({"opencl",
                         {{"live_bytes", totals.live_bytes.load()},
                          {"live_objects", totals.live_count.load()},
                          {"peak_bytes", totals.peak_bytes.load()},
                          {"pending_release_bytes", shadow->PendingReleaseBytes()}}});
}

// The parent's shadow stays where it is: another thread may have been inside it, and its objects
// are not ours.
void InForkChild() {
  g_shadow.store(nullptr, std::memory_order_release);
  opencl::ForgetTrackers();
}

constexpr Lifecycle kLifecycle = {AtEnd, InForkChild};

}  // namespace

Tracker* ShadowIfAny() { return g_shadow.load(std::memory_order_acquire); }

Tracker& Shadow() {
  Tracker* shadow = ShadowIfAny();
  if (shadow != nullptr) [[likely]]
    return *shadow;
  std::lock_guard lock(g_making);
  shadow = ShadowIfAny();
  if (shadow != nullptr) return *shadow;
  Runtime& runtime = Runtime::Get();
  TrackerOptions options;
  options.deferred_release_min = static_cast<uint64_t>(runtime.options().deferred_release_min);
  options.disabled_rules = DisabledRules(runtime.options());
  options.leaks = runtime.options().leaks;
  options.host_users = &host_users;
  options.capture = [](const void* return_address, const void* frame_address) {
    return CaptureSite(return_address, frame_address);
  };
  shadow = new Tracker(*runtime.sink(), *runtime.host_memory(), options);
  static FreeObserver* const observer = new FreeObserver;
  SetHostObserver(observer);
  runtime.SetLifecycle(&kLifecycle);
  g_shadow.store(shadow, std::memory_order_release);
  return *shadow;
}

}  // namespace gpusan
