// The windows of libgpusan_probe.so into the library.
#include <atomic>

#include "hooks/common/guard.h"
#include "hooks/common/sites/site.h"
#include "hooks/host/host_interposition.h"
#include "layer/attach/dlsym.h"
#include "layer/runtime/runtime.h"
#include "tracker/model/apis.h"

namespace {

std::atomic<int> live{0};
std::atomic<int> frees{0};

class Counting final : public gpusan::HostObserver {
 public:
  void OnHostFree(const gpusan::HostBlock& block, gpusan::SiteId site) override {
    if (block.bytes != 0 && site != gpusan::kUnknownSite && gpusan::ReentryGuard::Active()) ++frees;
  }
};

void AtEnd(gpusan::EndRecord* end, bool leaks) {
  end->calls.emplace_back("probe", 1);
  end->ledger.push_back(
      {"probe object", {{"live", static_cast<uint64_t>(live.load())}, {"leaks", leaks ? 1 : 0}}});
}

void InForkChild() { live = 0; }

const gpusan::Lifecycle lifecycle = {AtEnd, nullptr, InForkChild};

int Substituted() { return 42; }

void* Substitute(const char* name, void* real) {
  return real != nullptr && name[2] == 'P' ? reinterpret_cast<void*>(&Substituted) : nullptr;
}

}  // namespace

#define PROBE extern "C" __attribute__((visibility("default")))

PROBE void gpusan_probe_activate(void) {
  gpusan::Runtime& runtime = gpusan::Runtime::Get();
  runtime.SetLifecycle(&lifecycle);
  for (const gpusan::ApiInfo& api : gpusan::kApis) gpusan::SubstituteSymbols(api.api, Substitute);
  runtime.Activate(gpusan::Api::kHost, 0, "probe");
}

PROBE void gpusan_probe_count(int change) { live += change; }

PROBE long gpusan_probe_find(const void* address, long* offset) {
  gpusan::HostBlock block;
  const auto at = reinterpret_cast<uintptr_t>(address);
  if (!gpusan::HostBlocks()->Find(at, &block)) return -1;
  if (offset != nullptr) *offset = static_cast<long>(at - block.begin);
  return static_cast<long>(block.bytes);
}

PROBE int gpusan_probe_frees(void) {
  static Counting observer;
  gpusan::SetHostObserver(&observer);
  gpusan::host_users = 1;
  return frees;
}

PROBE int gpusan_probe_depth(const void* address) {
  gpusan::HostBlock block;
  gpusan::SiteFrame frames[gpusan::kMaxSiteFrames];
  if (!gpusan::HostBlocks()->Find(reinterpret_cast<uintptr_t>(address), &block)) return 0;
  return gpusan::SiteFrames(block.site, frames, gpusan::kMaxSiteFrames);
}
