// The id of the calling thread in the operating system.
#pragma once

#include <cstdint>

namespace gpusan::cuda {

namespace thread_id_internal {
extern __attribute__((tls_model("initial-exec"))) constinit thread_local int32_t known;
[[gnu::noinline, gnu::cold]] int32_t QueryThreadId();
}  // namespace thread_id_internal

// Like gettid(), but makes the system call only once in each thread.
inline int32_t ThreadId() {
  const int32_t known = thread_id_internal::known;
  if (known != 0) [[likely]]
    return known;
  return thread_id_internal::QueryThreadId();
}

}  // namespace gpusan::cuda
