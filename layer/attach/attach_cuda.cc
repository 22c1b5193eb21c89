// The attach paths for CUDA: exported symbols, names looked up by dlsym and by cuGetProcAddress,
// and the callbacks of CUPTI.
#include <atomic>
#include <string>

#include "hooks/common/guard.h"
#include "hooks/cuda/call/call.h"
#include "hooks/cuda/deferral/deferral_queue.h"
#include "hooks/cuda/dispatch/cupti_callbacks.h"
#include "hooks/cuda/dispatch/interposition.h"
#include "hooks/cuda/guards/guards.h"
#include "hooks/cuda/memory/block_changes.h"
#include "hooks/cuda/memory/pools.h"
#include "hooks/cuda/streams/capture.h"
#include "hooks/cuda/streams/elapsed_times.h"
#include "hooks/cuda/streams/pinned_guards.h"
#include "layer/attach/attach_libraries.h"
#include "layer/attach/attach_torch.h"
#include "layer/attach/dlsym.h"
#include "layer/process/symbols.h"
#include "layer/runtime/kernel_summaries.h"
#include "layer/runtime/own_thread.h"
#include "layer/runtime/runtime.h"
#include "layer/runtime/shadow.h"

namespace gpusan {
namespace {

Tracker* EnterThrough(cuda::AttachPath path) {
  static constexpr const char* kNames[] = {"cuda-preload", "cuda-cupti"};
  const int number = static_cast<int>(path);
  Runtime::Get().Activate(Api::kCuda, number, kNames[number]);
  return &Shadow();
}

void AtEnd(Tracker& tracker) {
  cuda::SettlePinnedGuards(tracker);
  cuda::RemoveAllPinnedGuards();
  cuda::ReportMissingTimes(tracker);
  WarnAboutTorch(tracker);
}

// For dlsym: the wrapper of a function of the driver or of a library above it.
void* WrapperFor(const char* name, void* real) {
  void* const wrapper = cuda::WrapperForSymbol(name, real);
  return wrapper != nullptr ? wrapper : WrapperForLibrarySymbol(name, real);
}

constexpr ApiPart kPart = {Api::kCuda,
                           &cuda::CallsSeen,
                           &cuda::Words,
                           &cuda::ForgetTracker,
                           &cuda::PoolReserveBytes,
                           &AtEnd,
                           &cuda::SettleDeferred,
                           &cuda::ForgetUnloadedFunctions,
                           &cuda::AnyCapture,
                           &cuda::UnguardedCount,
                           &cuda::DeferBlockChange};

}  // namespace

extern "C" __attribute__((constructor, visibility("hidden"))) void gpusan_prepare_cuda() {
  static std::atomic<bool> prepared{false};
  if (prepared.load(std::memory_order_acquire)) return;
  ReentryGuard guard;
  cuda::Hooks hooks;
  hooks.tracker = &EnterThrough;
  hooks.next_symbol = &NextSymbolFor;
  hooks.symbol_beside = &SymbolNear;
  hooks.start_thread = &StartOwnThread;
  const Options& options = Runtime::Get().options();
  hooks.preload = options.cuda_attach == "auto" || options.cuda_attach == "preload";
  hooks.strict = options.strict;
  hooks.guard_bytes = static_cast<uint64_t>(options.guard);
  hooks.guard_every_launch = options.guard_every_launch;
  hooks.protect_pinned = options.protect_maps;
  InstallKernelSummaries();
  cuda::SetHooks(hooks);
  AddApi(kPart);
  SubstituteSymbols(Api::kCuda, &WrapperFor);
  prepared.store(true, std::memory_order_release);
}

}  // namespace gpusan

// The driver's tool interface: the driver calls it inside the program's cuInit when
// CUDA_INJECTION64_PATH names this library. A nonzero result keeps the library loaded.
extern "C" __attribute__((visibility("default"))) int InitializeInjection(void) {
  using namespace gpusan;
  gpusan_prepare_cuda();
  ReentryGuard guard;
  Runtime& runtime = Runtime::Get();
  const std::string& attach = runtime.options().cuda_attach;
  if (attach == "off" || attach == "preload") return 1;
  // The preload path already intercepts the program's calls.
  if (attach == "auto" && cuda::PreloadInUse()) return 1;
  if (const std::string trouble = cuda::AttachCupti(); !trouble.empty())
    runtime.writer()->Warn("CUDA is NOT watched: " + trouble);
  return 1;
}
