// Exported functions of the CUDA runtime that may fail without a driver call. All other functions
// of the runtime are intercepted through their driver calls.
//
// Only programs that are linked with a shared runtime call these functions; the names of a static
// runtime are inside the program. A process may have several runtimes: each caller gets the one to
// which it is bound.
#include <cstddef>
#include <cstdint>

#include "hooks/cuda/dispatch/interposition.h"
#include "hooks/cuda/dispatch/runtime_rejections.h"
#include "layer/attach/caller_bindings.h"

namespace gpusan {
namespace {

constexpr int kInvalidValue = 1;    // cudaErrorInvalidValue
constexpr int kUnknownError = 999;  // cudaErrorUnknown

// Looks for the reason why the runtime has rejected a copy from or to a variable. The queries of
// the runtime are made as calls of the program, so that gpusan learns the variable's memory.
void CheckRejectedSymbol(const CallInfo& info, const void* symbol, const void* memory,
                         uint64_t bytes, uint64_t offset, bool write, const void* caller,
                         const void* frame) {
  static constinit CallerBindings sizes, addresses;
  const auto size_of =
      reinterpret_cast<int (*)(size_t*, const void*)>(sizes.Real("cudaGetSymbolSize", caller));
  const auto address_of = reinterpret_cast<int (*)(void**, const void*)>(
      addresses.Real("cudaGetSymbolAddress", caller));
  size_t size = 0;
  void* address = nullptr;
  if (size_of == nullptr || address_of == nullptr || size_of(&size, symbol) != 0 ||
      (offset <= size && bytes <= size - offset) || address_of(&address, symbol) != 0)
    return;
  cuda::ExplainRejection(info, cuda::RuntimeVariableCopy{address, memory, bytes, offset, write},
                         caller, frame);
}

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

#define GPUSAN_RUNTIME_SYMBOL(name, parameters, arguments, symbol, memory, write)      \
  extern "C" __attribute__((visibility("default"))) int name parameters {              \
    static constexpr gpusan::CallInfo kInfo = {#name, gpusan::Api::kCuda};             \
    static constinit gpusan::CallerBindings bindings;                                  \
    const void* caller = __builtin_return_address(0);                                  \
    const auto real = reinterpret_cast<decltype(&name)>(bindings.Real(#name, caller)); \
    if (real == nullptr) return gpusan::kUnknownError;                                 \
    const int code = real arguments;                                                   \
    if (code == gpusan::kInvalidValue) [[unlikely]]                                    \
      gpusan::CheckRejectedSymbol(kInfo, symbol, memory, bytes, offset, write, caller, \
                                  __builtin_frame_address(0));                         \
    return code;                                                                       \
  }
#define GPUSAN_RUNTIME_SYMBOLS(suffix, async_suffix)                                             \
  GPUSAN_RUNTIME_SYMBOL(                                                                         \
      cudaMemcpyToSymbol##suffix,                                                                \
      (const void* symbol, const void* source, size_t bytes, size_t offset, int kind),           \
      (symbol, source, bytes, offset, kind), symbol, source, true)                               \
  GPUSAN_RUNTIME_SYMBOL(cudaMemcpyToSymbolAsync##async_suffix,                                   \
                        (const void* symbol, const void* source, size_t bytes, size_t offset,    \
                         int kind, void* stream),                                                \
                        (symbol, source, bytes, offset, kind, stream), symbol, source, true)     \
  GPUSAN_RUNTIME_SYMBOL(                                                                         \
      cudaMemcpyFromSymbol##suffix,                                                              \
      (void* destination, const void* symbol, size_t bytes, size_t offset, int kind),            \
      (destination, symbol, bytes, offset, kind), symbol, destination, false)                    \
  GPUSAN_RUNTIME_SYMBOL(cudaMemcpyFromSymbolAsync##async_suffix,                                 \
                        (void* destination, const void* symbol, size_t bytes, size_t offset,     \
                         int kind, void* stream),                                                \
                        (destination, symbol, bytes, offset, kind, stream), symbol, destination, \
                        false)

GPUSAN_RUNTIME_SYMBOLS(, )
GPUSAN_RUNTIME_SYMBOLS(_ptds, _ptsz)
