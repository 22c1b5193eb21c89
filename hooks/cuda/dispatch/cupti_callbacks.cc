// The CUPTI attach path, for processes in which symbols cannot be interposed.
#include "hooks/cuda/dispatch/cupti_callbacks.h"

#include <dlfcn.h>

#include <cstdlib>
#include <mutex>

#include "hooks/cuda/dispatch/wrapper.h"
#include "tracker/base/slab.h"

namespace gpusan::cuda {
namespace {

// A call between its entry and its exit callback; CUPTI's correlation data points to it. Objects
// are reused and never freed.
struct Pending {
  Pending* next_free = nullptr;
  const Entry* entry = nullptr;
  alignas(16) char fast[sizeof(FastCall)];
  alignas(16) char call[sizeof(CuCall)];
  alignas(16) char state[kCallbackBytes];
};
Slab<Pending>& PendingCalls() {
  static Slab<Pending>* const slab = new Slab<Pending>;
  return *slab;
}

struct Cbid {
  CUpti_CallbackId id;
  Slot slot;
};
constexpr Cbid kCbids[] = {
#include "cuda_cbids.inc"
};
const Entry* g_entries[CUPTI_DRIVER_TRACE_CBID_SIZE] = {};

void CUPTIAPI OnCallback(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                         const void* data) {
  if (domain != CUPTI_CB_DOMAIN_DRIVER_API || id >= CUPTI_DRIVER_TRACE_CBID_SIZE) return;
  const auto& info = *static_cast<const CUpti_CallbackData*>(data);
  if (info.callbackSite == CUPTI_API_ENTER) {
    *info.correlationData = 0;
    const Entry* entry = g_entries[id];
    if (entry == nullptr || ReentryGuard::Active()) return;
    Tracker* tracker = Admit(AttachPath::kCupti);
    if (tracker == nullptr) return;
    ReentryGuard guard;
    Pending* pending = PendingCalls().New();
    pending->entry = entry;
    FastCall* fast =
        new (pending->fast) FastCall(*tracker, *entry->info, __builtin_return_address(0),
                                     __builtin_frame_address(0), AttachPath::kCupti);
    // The exit callback has a different stack.
    fast->site();
    CuCall* call = new (pending->call) CuCall(*fast);
    entry->before(pending->state, *fast, *call, info.functionParams);
    *info.correlationData = reinterpret_cast<uintptr_t>(pending);
    return;
  }
  Pending* pending = reinterpret_cast<Pending*>(*info.correlationData);
  if (pending == nullptr) return;
  ReentryGuard guard;
  FastCall* fast = reinterpret_cast<FastCall*>(pending->fast);
  CuCall* call = reinterpret_cast<CuCall*>(pending->call);
  const CUresult code = info.functionReturnValue != nullptr
                            ? *static_cast<const CUresult*>(info.functionReturnValue)
                            : CUDA_SUCCESS;
  pending->entry->after(pending->state, *fast, *call, info.functionParams, code);
  call->~CuCall();
  PendingCalls().Delete(pending);
}

void* OpenCupti() {
  std::string names[8];
  int count = 0;
  for (const char* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"})
    names[count++] = name;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* home = std::getenv(variable); home != nullptr)
      names[count++] = std::string(home) + "/extras/CUPTI/lib64/libcupti.so";
  }
  names[count++] = "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so";
  names[count++] = "/usr/local/cuda/lib64/libcupti.so";
  for (int i = 0; i < count; ++i) {
    if (void* handle = dlopen(names[i].c_str(), RTLD_NOW | RTLD_LOCAL); handle != nullptr)
      return handle;
  }
  return nullptr;
}

}  // namespace

bool PreloadInUse() { return PreloadCallsSeen() != 0; }

std::string AttachCupti() {
  static std::mutex mutex;
  static bool opened = false;
  std::lock_guard lock(mutex);
  if (opened) return "";
  ReentryGuard guard;
  void* cupti = OpenCupti();
  if (cupti == nullptr) {
    return "CUPTI (libcupti.so of the CUDA toolkit) was not found; set LD_LIBRARY_PATH or "
           "CUDA_HOME, or use "
           "--cuda-attach=preload";
  }
  const auto subscribe =
      reinterpret_cast<decltype(&cuptiSubscribe)>(dlsym(cupti, "cuptiSubscribe"));
  const auto enable =
      reinterpret_cast<decltype(&cuptiEnableCallback)>(dlsym(cupti, "cuptiEnableCallback"));
  const auto text =
      reinterpret_cast<decltype(&cuptiGetResultString)>(dlsym(cupti, "cuptiGetResultString"));
  if (subscribe == nullptr || enable == nullptr) return "libcupti.so lacks cuptiSubscribe";
  // Handlers call the driver; use the functions of the library that is already loaded.
  if (void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD); driver != nullptr)
    AdoptDriver(dlsym(driver, "cuInit"));
  for (const Cbid& cbid : kCbids) g_entries[cbid.id] = EntryOf(cbid.slot);
  CUpti_SubscriberHandle subscriber;
  const CUptiResult result = subscribe(&subscriber, &OnCallback, nullptr);
  if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
    return "CUPTI has another subscriber (a profiler, compute-sanitizer, nsys) and serves one at a "
           "time; "
           "use --cuda-attach=preload beside it";
  }
  if (result != CUPTI_SUCCESS) {
    const char* why = nullptr;
    if (text != nullptr) text(result, &why);
    return std::string("cuptiSubscribe failed: ") +
           (why != nullptr ? why : std::to_string(result).c_str()) + "; use --cuda-attach=preload";
  }
  for (const Cbid& cbid : kCbids) {
    if (g_entries[cbid.id] != nullptr) enable(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, cbid.id);
  }
  opened = true;
  return "";
}

}  // namespace gpusan::cuda
