// A clock that is cheaper than the clocks of the system.
#pragma once

#include <cstdint>
#include <ctime>

namespace gpusan {

// Returns a counter that increases with time and is the same on all processors. No system call on
// x86-64 and AArch64.
inline uint64_t Ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
#endif
}

}  // namespace gpusan
