// gpusan's own questions to the driver, in the context that they concern.
#include "hooks/cuda/streams/context_scope.h"

namespace gpusan::cuda {

ContextScope::ContextScope(const Context* context)
    : ContextScope(context != nullptr ? context->handle : 0) {}

ContextScope::ContextScope(uintptr_t handle) {
  const auto query = GPUSAN_CU_REAL(cuCtxGetCurrent);
  const auto push = GPUSAN_CU_REAL(cuCtxPushCurrent_v2);
  CUcontext now = nullptr;
  if (handle == 0 || query == nullptr || push == nullptr || query(&now) != CUDA_SUCCESS) return;
  const auto wanted = reinterpret_cast<CUcontext>(handle);
  // A handle that the driver has freed must not reach the driver.
  pushed_ = now != wanted && KnownContext(handle) != nullptr && push(wanted) == CUDA_SUCCESS;
  current_ = now == wanted || pushed_;
}

ContextScope::~ContextScope() {
  CUcontext popped = nullptr;
  if (pushed_) GPUSAN_CU_REAL(cuCtxPopCurrent_v2)(&popped);
}

}  // namespace gpusan::cuda
