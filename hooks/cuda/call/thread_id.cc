// The kernel's id of the calling thread.
#include "hooks/cuda/call/thread_id.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "hooks/common/base/fork_reset.h"

namespace gpusan::cuda {

__attribute__((
    tls_model("initial-exec"))) constinit thread_local int32_t thread_id_internal::known = 0;

int32_t thread_id_internal::QueryThreadId() {
  return known = static_cast<int32_t>(syscall(SYS_gettid));
}

namespace {

// In the child the forking thread has another id.
const ForkReset g_reset([] { thread_id_internal::known = 0; });

}  // namespace
}  // namespace gpusan::cuda
