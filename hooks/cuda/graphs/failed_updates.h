// Updates of executable graphs that failed, for launches that the program makes all the same.
//
// A failed update is regular: programs then instantiate the new graph, or run its work without a
// graph. Only a launch of the same executable graph by the same thread, with no command in between,
// shows that the program has not looked at the code. Thread-safe.
#pragma once

#include <cuda.h>

#include <atomic>

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

namespace failed_updates_internal {
extern std::atomic<bool> any;
void Check(CuCall& call, CUgraphExec exec);
void Forget();
}  // namespace failed_updates_internal

// Keeps the update that failed, in place of the one before. `node`: the first node that differs, of
// the new graph; nullptr: unknown.
void KeepFailedUpdate(CuCall& call, CUgraphExec exec, CUgraphExecUpdateResult result,
                      CUgraphNode node);

// Reports the launch if the update of `exec` has failed. Forgets the update. One load if no update
// is kept.
inline void CheckUpdateOf(CuCall& call, CUgraphExec exec) {
  if (failed_updates_internal::any.load(std::memory_order_relaxed)) [[unlikely]]
    failed_updates_internal::Check(call, exec);
}

// The program has instantiated or changed an executable graph.
inline void ForgetFailedUpdate() {
  if (failed_updates_internal::any.load(std::memory_order_relaxed)) [[unlikely]]
    failed_updates_internal::Forget();
}

}  // namespace gpusan::cuda
