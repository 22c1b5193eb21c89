// Makes the tracker and tells it of host memory, the end of the process and forks.
#include "layer/shadow.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <string>

#include "hooks/host/host_door.h"
#include "hooks/host/reuse.h"
#include "hooks/host/site.h"
#include "layer/runtime.h"
#ifdef GPUSAN_CUDA
#include "layer/cuda_runtime_names.h"
#endif

namespace gpusan {
namespace {

constinit std::atomic<Tracker*> g_shadow{nullptr};
constinit SpinLock g_making;
constinit std::atomic<const ApiPart*> g_parts[4] = {};

template <typename Visitor>
void ForEachApi(Visitor visit) {
  for (std::atomic<const ApiPart*>& slot : g_parts) {
    if (const ApiPart* part = slot.load(std::memory_order_acquire); part != nullptr) visit(*part);
  }
}

// The language of findings about host memory: that of the API which the process uses.
const Vocabulary& WordsInUse() {
  const ApiPart* most = nullptr;
  uint64_t calls = 0;
  ForEachApi([&](const ApiPart& part) {
    const uint64_t seen = part.calls_seen();
    if (most != nullptr && seen <= calls) return;
    most = &part;
    calls = seen;
  });
  return most->words();  // an API made the shadow
}

class FreeObserver final : public HostObserver {
 public:
  void OnHostFree(const HostBlock& block, SiteId site) override {
    Tracker* shadow = ShadowIfAny();
    if (shadow == nullptr || !shadow->host_memory_busy()) return;
    static constexpr CallInfo kFree = {"free", Api::kHost};
    static constexpr CallInfo kUnmap = {"munmap", Api::kHost};
    Call call(*shadow, block.kind == HostBlockKind::kHeap ? kFree : kUnmap, WordsInUse(), nullptr,
              nullptr, site);
    shadow->OnHostFree(call, block);
    call.EmitNow();
  }
};

void FillLedger(LedgerTable* ledger) {
  Tracker* shadow = ShadowIfAny();
  if (shadow == nullptr) return;
  ForEachApi([&](const ApiPart& part) {
    if (part.calls_seen() == 0 && part.api != Api::kOpenCL) return;
    const Ledger::Totals& totals = shadow->ledger().Of(part.api);
    ledger->push_back({ApiName(part.api),
                       {{"live_bytes", totals.live_bytes.load()},
                        {"live_objects", totals.live_count.load()},
                        {"peak_bytes", totals.peak_bytes.load()},
                        {"pending_release_bytes", shadow->PendingReleaseBytes()}}});
  });
}

void AtEnd(EndRecord* end, bool leaks) {
  Tracker* shadow = ShadowIfAny();
  ForEachApi([&](const ApiPart& part) {
    const uint64_t calls = part.calls_seen();
    if (calls == 0 && part.api != Api::kOpenCL) return;
    end->calls.emplace_back(ApiName(part.api), calls);
    if (shadow != nullptr && leaks) shadow->ReportLeaks(part.words(), part.api, nullptr);
  });
  FillLedger(&end->ledger);
  if (shadow == nullptr) return;
  if (shadow->dropped() != 0) end->dropped.emplace_back("history", shadow->dropped());
}

// The parent's shadow stays where it is: another thread may have been inside it, and its objects
// are not ours.
void InForkChild() {
  g_shadow.store(nullptr, std::memory_order_release);
  ForEachApi([](const ApiPart& part) { part.forget(); });
}

constexpr Lifecycle kLifecycle = {AtEnd, FillLedger, InForkChild};

}  // namespace

void AddApi(const ApiPart& part) {
  for (std::atomic<const ApiPart*>& slot : g_parts) {
    const ApiPart* none = nullptr;
    if (slot.compare_exchange_strong(none, &part, std::memory_order_acq_rel) || none == &part)
      return;
  }
}

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
  options.may_be_reused = MayBeReused;
  options.capture = [](const void* return_address, const void* frame_address) {
    return CaptureSite(return_address, frame_address);
  };
  FindingSink* sink = runtime.sink();
#ifdef GPUSAN_CUDA
  sink = new RuntimeNames(*sink);
#endif
  shadow = new Tracker(*sink, *runtime.host_memory(), options);
  static FreeObserver* const observer = new FreeObserver;
  SetHostObserver(observer);
  runtime.SetLifecycle(&kLifecycle);
  g_shadow.store(shadow, std::memory_order_release);
  return *shadow;
}

}  // namespace gpusan
