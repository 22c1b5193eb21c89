// Kernels that calls of two threads use at the same time.
#include "hooks/opencl/kernels/kernel_uses.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hooks/common/base/fork_reset.h"
#include "tracker/rules/events/concurrent_use.h"

namespace gpusan::opencl {
namespace kernel_uses_internal {

__attribute__((tls_model("initial-exec"))) constinit thread_local int32_t thread = 0;

void SetThread() { thread = static_cast<int32_t>(syscall(SYS_gettid)); }

}  // namespace kernel_uses_internal

namespace {

// The child has another number.
const ForkReset g_reset([] { kernel_uses_internal::thread = 0; });

constexpr bool Conflict(KernelUse a, KernelUse b) {
  if (a == KernelUse::kLaunches) return b == KernelUse::kChanges;
  return b != KernelUse::kLaunches || a == KernelUse::kChanges;
}

// False for a thread that has ended inside of its call, and for one of the parent process.
bool Lives(int32_t thread) { return syscall(SYS_tgkill, getpid(), thread, 0) == 0; }

}  // namespace

void kernel_uses_internal::Report(ClCall& call, const Kernel& kernel, KernelUse use) {
  const CurrentUse::Use other = kernel.user.Get();
  if (thread == 0) SetThread();
  if (other.call == nullptr || other.thread == thread || !Lives(other.thread)) return;
  const auto others = static_cast<KernelUse>(other.kind);
  if (!Conflict(use, others)) return;
  const bool launch = use == KernelUse::kLaunches || others == KernelUse::kLaunches;
  rules::ConcurrentUse concurrent;
  concurrent.object = &kernel;
  concurrent.other = other.call;
  concurrent.other_thread = other.thread;
  concurrent.of_launch = launch;
  rules::OnConcurrentUse(concurrent, call);
}

}  // namespace gpusan::opencl
