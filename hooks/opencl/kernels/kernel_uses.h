// Kernels that calls of two threads use at the same time (OpenCL 3.0 appendix A.2).
#pragma once

#include "hooks/opencl/call/call.h"
#include "tracker/objects/kernel.h"

namespace gpusan::opencl {

// The use of a kernel by a call. Calls of the first two kinds must not overlap. A launch may
// overlap with other launches, and with calls that set an argument to the value that it has
// (kSetsEqual).
enum class KernelUse : unsigned { kSetsEqual, kChanges, kLaunches };

namespace kernel_uses_internal {
extern __attribute__((tls_model("initial-exec"))) constinit thread_local int32_t thread;
[[gnu::noinline, gnu::cold]] void SetThread();
// Adds the finding about the other thread's call, if there is one and it conflicts.
[[gnu::noinline, gnu::cold]] void Report(ClCall& call, const Kernel& kernel, KernelUse use);
}  // namespace kernel_uses_internal

// A call's use of a kernel, from construction to destruction. Belongs to the calling thread.
class UseOfKernel {
 public:
  UseOfKernel() = default;
  ~UseOfKernel() {
    if (kernel_ != nullptr) kernel_->user.End();
  }
  UseOfKernel(const UseOfKernel&) = delete;
  UseOfKernel& operator=(const UseOfKernel&) = delete;

  [[gnu::always_inline]] void Begin(Kernel& kernel, const CallInfo& call, KernelUse use) {
    if (kernel_uses_internal::thread == 0) [[unlikely]]
      kernel_uses_internal::SetThread();
    kernel_ = &kernel;
    kernel.user.Begin(call, static_cast<unsigned>(use), kernel_uses_internal::thread);
  }
  // The same. Adds a finding if a conflicting call of another thread has not returned.
  void BeginAlone(ClCall& call, Kernel& kernel, KernelUse use) {
    if (kernel.user.InUse()) [[unlikely]]
      kernel_uses_internal::Report(call, kernel, use);
    Begin(kernel, call.info(), use);
  }

 private:
  Kernel* kernel_ = nullptr;
};

}  // namespace gpusan::opencl
