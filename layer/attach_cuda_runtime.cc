// Exported functions of the CUDA runtime that may fail without a driver call. All other functions
// of the runtime are intercepted through their driver calls.
//
// Only programs that are linked with a shared runtime call these functions; the names of a static
// runtime are inside the program. A process may have several runtimes: each caller gets the one to
// which it is bound.
#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <mutex>

#include "hooks/common/modules.h"
#include "hooks/common/next_symbol.h"
#include "hooks/cuda/dispatch/interposition.h"
#include "hooks/cuda/dispatch/runtime_rejections.h"
#include "layer/symbols.h"
#include "tracker/base/spin_lock.h"

namespace gpusan {
namespace {

constexpr int kUnknownError = 999;  // cudaErrorUnknown

// A cache of the real functions, by return address of the caller.
struct Bindings {
  static constexpr size_t kCallers = 64;
  SpinLock lock;
  // module_epoch at the look-ups. After a change, the addresses may belong to other files.
  uint32_t epoch = 0;
  uintptr_t callers[kCallers] = {};
  void* functions[kCallers] = {};
};

bool IsOwn(const void* function) {
  Dl_info here, there;
  static const char mark = 0;
  return dladdr(&mark, &here) != 0 && dladdr(function, &there) != 0 &&
         here.dli_fbase == there.dli_fbase;
}

void* RealFor(Bindings& bindings, const char* name, const void* return_address) {
  const uintptr_t caller = reinterpret_cast<uintptr_t>(return_address);
  const uint32_t epoch = module_epoch.load(std::memory_order_acquire);
  const size_t at = (caller >> 2) % Bindings::kCallers;
  {
    std::lock_guard lock(bindings.lock);
    if (bindings.epoch == epoch && bindings.callers[at] == caller) return bindings.functions[at];
  }
  // Search the caller's own libraries first: the global scope may contain another runtime.
  void* found = SymbolNear(name, return_address);
  if (found == nullptr || IsOwn(found)) found = NextSymbol(name);
  if (found == nullptr) return nullptr;
  std::lock_guard lock(bindings.lock);
  if (bindings.epoch != epoch)
    std::fill(std::begin(bindings.callers), std::end(bindings.callers), 0);
  bindings.epoch = epoch;
  bindings.callers[at] = caller;
  bindings.functions[at] = found;
  return found;
}

}  // namespace
}  // namespace gpusan

#define GPUSAN_RUNTIME_COPY_2D(name, parameters, arguments)                                        \
  extern "C" __attribute__((visibility("default"))) int name parameters {                          \
    static constexpr gpusan::CallInfo kInfo = {#name, gpusan::Api::kCuda};                         \
    static constinit gpusan::Bindings bindings;                                                    \
    const void* caller = __builtin_return_address(0);                                              \
    const auto real = reinterpret_cast<decltype(&name)>(gpusan::RealFor(bindings, #name, caller)); \
    if (real == nullptr) return gpusan::kUnknownError;                                             \
    const gpusan::cuda::RuntimeRectangle copy{                                                     \
        destination, destination_pitch, source, source_pitch, width, height};                      \
    if (copy.rejected()) [[unlikely]]                                                              \
      gpusan::cuda::ExplainRejection(kInfo, copy, caller, __builtin_frame_address(0));             \
    return real arguments;                                                                         \
  }

#define GPUSAN_RECTANGLE                                                                \
  void *destination, size_t destination_pitch, const void *source, size_t source_pitch, \
      size_t width, size_t height, int kind
#define GPUSAN_RECTANGLE_NAMES \
  destination, destination_pitch, source, source_pitch, width, height, kind

GPUSAN_RUNTIME_COPY_2D(cudaMemcpy2D, (GPUSAN_RECTANGLE), (GPUSAN_RECTANGLE_NAMES))
GPUSAN_RUNTIME_COPY_2D(cudaMemcpy2D_ptds, (GPUSAN_RECTANGLE), (GPUSAN_RECTANGLE_NAMES))
GPUSAN_RUNTIME_COPY_2D(cudaMemcpy2DAsync, (GPUSAN_RECTANGLE, void* stream),
                       (GPUSAN_RECTANGLE_NAMES, stream))
GPUSAN_RUNTIME_COPY_2D(cudaMemcpy2DAsync_ptsz, (GPUSAN_RECTANGLE, void* stream),
                       (GPUSAN_RECTANGLE_NAMES, stream))
