// Exported functions of the CUDA runtime that may fail without a driver call. All other functions
// of the runtime are intercepted through their driver calls.
//
// Only programs that are linked with a shared runtime call these functions; the names of a static
// runtime are inside the program. A process may have several runtimes: each caller gets the one to
// which it is bound.
#include <cstddef>

#include "hooks/cuda/dispatch/interposition.h"
#include "hooks/cuda/dispatch/runtime_rejections.h"
#include "layer/attach/caller_bindings.h"

namespace gpusan {
namespace {

constexpr int kUnknownError = 999;  // cudaErrorUnknown

}  // namespace
}  // namespace gpusan

#define GPUSAN_RUNTIME_COPY_2D(name, parameters, arguments)                            \
  extern "C" __attribute__((visibility("default"))) int name parameters {              \
    static constexpr gpusan::CallInfo kInfo = {#name, gpusan::Api::kCuda};             \
    static constinit gpusan::CallerBindings bindings;                                  \
    const void* caller = __builtin_return_address(0);                                  \
    const auto real = reinterpret_cast<decltype(&name)>(bindings.Real(#name, caller)); \
    if (real == nullptr) return gpusan::kUnknownError;                                 \
    const gpusan::cuda::RuntimeRectangle copy{                                         \
        destination, destination_pitch, source, source_pitch, width, height};          \
    if (copy.rejected()) [[unlikely]]                                                  \
      gpusan::cuda::ExplainRejection(kInfo, copy, caller, __builtin_frame_address(0)); \
    return real arguments;                                                             \
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
