// Deferral of commands of streams: which streams may use the deferral queue, and the call of a
// command that the queue processes. Thread-safe.
#pragma once

#include "hooks/cuda/deferral/deferral_queue.h"
#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {

// The call of a deferred command that is being processed. Reports its findings at its end.
class DeferredCall : public CuCall {
 public:
  explicit DeferredCall(const DeferredCommand& command);
  // The command has been processed.
  void End(ProcessedCommand* processed) {
    Done(CUDA_SUCCESS);
    processed->explained = explained();
  }
};

// True if the call may be deferred (MayDefer(FastCall&)) and everything is known of the stream's
// context that processing a command of it may need from the driver. `stream` may be nullptr.
bool MayDefer(FastCall& call, Stream* stream);
// Queries, on the calling thread, the properties of the stream's context that MayDefer uses.
// `stream` may be nullptr.
void LearnToDefer(CuCall& call, Stream* stream);

}  // namespace gpusan::cuda
