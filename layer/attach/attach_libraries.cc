// Exported functions of the CUDA libraries: cuBLAS, cuDNN, cuFFT, cuRAND, cuSOLVER, cuSPARSE, NCCL,
// and of MPI (hooks/cuda/libraries).
//
// Programs that are linked with such a library, and libraries that are, as those of PyTorch, bind
// to these wrappers. Nothing of the libraries is linked. In a process without the library a wrapper
// returns the library's code for a library that is not initialized.
#include "layer/attach/attach_libraries.h"

#include <cstring>
#include <optional>

#include "hooks/common/guard.h"
#include "hooks/cuda/call/driver.h"
#include "hooks/cuda/libraries/blas.h"
#include "hooks/cuda/libraries/dnn.h"
#include "hooks/cuda/libraries/fft.h"
#include "hooks/cuda/libraries/library_call.h"
#include "hooks/cuda/libraries/mpi.h"
#include "hooks/cuda/libraries/nccl.h"
#include "hooks/cuda/libraries/operands.h"
#include "hooks/cuda/libraries/rand.h"
#include "hooks/cuda/libraries/requests.h"
#include "hooks/cuda/libraries/solver.h"
#include "hooks/cuda/libraries/sparse.h"
#include "layer/attach/caller_bindings.h"
#include "layer/runtime/shadow.h"

namespace gpusan {
namespace {

// The tracker for a call of a library; nullptr: the call is passed on.
Tracker* LibraryTracker() {
  if (ReentryGuard::Active() || cuda::LibraryCall::Inside() || !cuda::CurrentHooks().preload)
    return nullptr;
  return ShadowIfAny();
}

// `Name##Bindings` and `Name##Info` of each row.
#define GPUSAN_LIBRARY(name, ...)           \
  constinit CallerBindings name##_bindings; \
  constexpr cuda::CuInfo name##_info = {    \
      {#name, Api::kCuda, cuda::kOperandNames}, cuda::Slot{}, false};
#define GPUSAN_LIBRARY_AFTER(name, ...) constinit CallerBindings name##_bindings;
#define GPUSAN_LIBRARY_OF_HOST(name, ...) GPUSAN_LIBRARY(name)
#define GPUSAN_LIBRARY_OF_REQUEST(name, ...) GPUSAN_LIBRARY(name)
#define GPUSAN_LIBRARY_OF_REQUESTS(name, ...) GPUSAN_LIBRARY_AFTER(name)
#include "layer/attach/library_rows.inc"

}  // namespace

using namespace cuda;  // NOLINT(google-build-using-namespace): the effects of the rows

// Not a row: the body of the wrappers. `find`: of CallerBindings.
#define GPUSAN_WRAPPER(find, name, failure, parameters, names, end, ...)                      \
  extern "C" __attribute__((visibility("default"))) int name parameters {                     \
    const void* const caller = __builtin_return_address(0);                                   \
    const auto real = reinterpret_cast<decltype(&name)>(name##_bindings.find(#name, caller)); \
    if (real == nullptr) [[unlikely]]                                                         \
      return failure;                                                                         \
    Tracker* const tracker = LibraryTracker();                                                \
    if (tracker == nullptr) return real names;                                                \
    LibraryCall call(*tracker, name##_info, reinterpret_cast<const void*>(real), caller,      \
                     __builtin_frame_address(0));                                             \
    {                                                                                         \
      ReentryGuard guard;                                                                     \
      __VA_ARGS__;                                                                            \
      call.Begin();                                                                           \
    }                                                                                         \
    const int code = real names;                                                              \
    ReentryGuard guard;                                                                       \
    end;                                                                                      \
    return code;                                                                              \
  }
#define GPUSAN_LIBRARY(name, ...) GPUSAN_ENDED(Real, name, __VA_ARGS__)
#define GPUSAN_LIBRARY_OF_HOST(name, ...) GPUSAN_ENDED(RealBehind, name, __VA_ARGS__)
#define GPUSAN_ENDED(find, name, failure, parameters, names, ...) \
  GPUSAN_WRAPPER(find, name, failure, parameters, names, call.End(code == 0), __VA_ARGS__)
#define GPUSAN_LIBRARY_OF_REQUEST(name, failure, parameters, names, request, ...) \
  GPUSAN_WRAPPER(RealBehind, name, failure, parameters, names,                    \
                 call.EndRequest(code == 0, request), __VA_ARGS__)
#define GPUSAN_LIBRARY_OF_REQUESTS(name, failure, parameters, names, count, requests, ...) \
  extern "C" __attribute__((visibility("default"))) int name parameters {                  \
    const auto real = reinterpret_cast<decltype(&name)>(                                   \
        name##_bindings.RealBehind(#name, __builtin_return_address(0)));                   \
    if (real == nullptr) [[unlikely]]                                                      \
      return failure;                                                                      \
    Tracker* const tracker = AnyRequests() ? LibraryTracker() : nullptr;                   \
    if (tracker == nullptr) return real names;                                             \
    std::optional<ReentryGuard> guard(std::in_place);                                      \
    const GivenRequests done(count, requests);                                             \
    guard.reset();                                                                         \
    const int code = real names;                                                           \
    guard.emplace();                                                                       \
    if (code != 0) {                                                                       \
      done.CompleteAll(*tracker);                                                          \
    } else {                                                                               \
      __VA_ARGS__;                                                                         \
    }                                                                                      \
    return code;                                                                           \
  }
#define GPUSAN_LIBRARY_AFTER(name, failure, parameters, names, ...)                              \
  extern "C" __attribute__((visibility("default"))) int name parameters {                        \
    const auto real = reinterpret_cast<decltype(&name)>(                                         \
        name##_bindings.Real(#name, __builtin_return_address(0)));                               \
    if (real == nullptr) [[unlikely]]                                                            \
      return failure;                                                                            \
    const int code = real names;                                                                 \
    if (code == 0) {                                                                             \
      ReentryGuard guard;                                                                        \
      [[maybe_unused]] const uintptr_t library = LibraryOf(reinterpret_cast<const void*>(real)); \
      __VA_ARGS__;                                                                               \
    }                                                                                            \
    return code;                                                                                 \
  }
#include "layer/attach/library_rows.inc"

void* WrapperForLibrarySymbol(const char* name, void* real) {
  struct Row {
    const char* name;
    void* wrapper;
    CallerBindings* bindings;
  };
  static constexpr auto address = [](auto* function) { return reinterpret_cast<void*>(function); };
  static const Row kRows[] = {
#define GPUSAN_LIBRARY(name, ...) {#name, address(&name), &name##_bindings},
#define GPUSAN_LIBRARY_AFTER(name, ...) GPUSAN_LIBRARY(name)
#define GPUSAN_LIBRARY_OF_HOST(name, ...) GPUSAN_LIBRARY(name)
#define GPUSAN_LIBRARY_OF_REQUEST(name, ...) GPUSAN_LIBRARY(name)
#define GPUSAN_LIBRARY_OF_REQUESTS(name, ...) GPUSAN_LIBRARY_AFTER(name)
#include "layer/attach/library_rows.inc"
  };
  // libcudnn.so looks its own names up in the libraries that it is made of: a wrapper there would
  // call libcudnn.so again.
  if (!CurrentHooks().preload || std::strncmp(name, "cudnn", 5) == 0) return nullptr;
  for (const Row& row : kRows) {
    if (std::strcmp(row.name, name) == 0)
      return row.bindings->SetLookedUp(name, real) ? row.wrapper : nullptr;
  }
  return nullptr;
}

}  // namespace gpusan
