// Launches that wait to be judged: kept as they were called, and judged many at a time, since what
// judging runs and reads is then in the caches for all but the first of them.
//
// Nothing can tell the difference: whatever else asks or changes the shadow state has them judged
// first, in the order in which they were called, and they are never more than kMostDeferred nor,
// where a thread can be had, older than a tenth of a second. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "hooks/cuda/contexts.h"
#include "hooks/cuda/functions.h"

namespace gpusan::cuda {

struct LaunchShape;

inline constexpr uint32_t kMostDeferred = 32;

namespace deferred_internal {
extern constinit std::atomic<bool> any;
[[gnu::noinline]] void Judge();
}  // namespace deferred_internal

// Before anything that reads or changes what launches read or change. Not to be called while a
// launch is judged.
inline void JudgeDeferredLaunches() {
  if (deferred_internal::any.load(std::memory_order_acquire)) [[unlikely]]
    deferred_internal::Judge();
}

// An operation that neither reads nor changes any of that has a member of this name, or sees to it
// itself.
template <typename Operation>
concept LeavesLaunchesDeferred = requires {
  Operation::kLeavesLaunchesDeferred;
};

// Keeps the launch. Before the real call. Returns its number; 0: it is none that can wait, and
// nothing has happened. `parameters` and `extra` as cuLaunchKernel has them.
uint64_t DeferLaunch(CuCall& call, Function& function, Stream* stream, const LaunchShape& shape,
                     void** parameters, void** extra);

// The real call of the launch with that number failed: true, and it is forgotten; false: another
// thread had it judged meanwhile, as the command at `*epoch`, which may be none.
bool TakeBackLaunch(uint64_t number, Epoch* epoch);

// From outside of calls of the driver. Gives up after some time where a thread is stopped in the
// midst of judging, as by a signal whose handler ends the process.
void SettleDeferredLaunches();

// Host memory was registered: from now on launches are judged at once. What frees such memory may
// be a thread of the driver's own, inside of it, which must not wait for one that judges.
void JudgeLaunchesAtOnce();

// After a fork, in the child. Async-signal-safe.
void ForgetDeferredLaunches();

}  // namespace gpusan::cuda
