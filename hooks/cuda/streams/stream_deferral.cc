// Deferral of commands of streams.
#include "hooks/cuda/streams/stream_deferral.h"

#include "hooks/cuda/streams/peers.h"

namespace gpusan::cuda {

DeferredCall::DeferredCall(const DeferredCommand& command)
    : CuCall(*command.tracker, *command.info, nullptr, nullptr, command.path) {
  is_deferred_ = true;
  SetSite(command.site);
  SetThread(command.thread);
  SetCurrent(command.stream->context);
}

bool MayDefer(FastCall& call, Stream* stream) {
  return stream != nullptr && stream->may_defer.load(std::memory_order_relaxed) &&
         stream->capture.load(std::memory_order_relaxed) == nullptr && MayDefer(call);
}

void LearnToDefer(CuCall& call, Stream* stream) {
  if (stream == nullptr || stream->may_defer.load(std::memory_order_relaxed) ||
      call.current() != stream->context || MayLackPeerAccess(*stream->context))
    return;
  ReachesAllHostMemory(call);
  stream->may_defer.store(true, std::memory_order_relaxed);
}

}  // namespace gpusan::cuda
