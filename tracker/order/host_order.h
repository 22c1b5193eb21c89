// Accesses of the host itself to memory that pending commands use: whether a command surely
// accesses the memory, and surely at the same time.
#pragma once

#include <atomic>

#include "tracker/model/apis.h"
#include "tracker/model/clock.h"
#include "tracker/model/order_point.h"
#include "tracker/order/access.h"
#include "tracker/order/waiting_kernels.h"

namespace gpusan {

// Returns whether a command surely accesses these bytes.
inline bool IsSure(Sureness sureness) {
  return sureness == Sureness::kCertain || sureness == Sureness::kDerived ||
         (sureness == Sureness::kUnwaited && !waiting_kernels.load(std::memory_order_relaxed));
}

// Returns whether a command may wait for a value that the program writes later, or for a function
// of the program in a queue. Waits of queues for known signals have gates instead.
inline bool MayWaitForProgram(Api api) {
  return CommandsWaitForMemory(api) && (waiting_kernels.load(std::memory_order_relaxed) ||
                                        host_functions.load(std::memory_order_relaxed));
}

// Returns whether nothing orders a command and what the host does now: the command is not known to
// be complete, it may not have informed the program of that, and it does not wait for the program.
// `completed`: what the host has waited for. `signaled`: the last command of each timeline that may
// have informed the program.
inline bool IsBesideHost(Epoch epoch, GateSet gates, Api api, const HostClock& completed,
                         const LazyHostClock& signaled) {
  return gates == 0 && !completed.Completed(epoch) && !signaled.Completed(epoch) &&
         !MayWaitForProgram(api);
}

}  // namespace gpusan
