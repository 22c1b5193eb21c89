// Performance checks: calls that are correct and may be slow.
#include "hooks/cuda/streams/advice.h"

#include "hooks/cuda/streams/capture.h"
#include "tracker/rules/rules.h"

namespace gpusan::cuda {
namespace {

bool IsBusy(CuCall& call, Queue& queue) {
  const Snapshot point = call.tracker().ordering().Snap(queue);
  return !point.clock.empty() || point.gates != 0;
}

void Advise(CuCall& call, HiddenWait wait, const std::vector<Queue*>& queues) {
  uint64_t busy = 0;
  for (Queue* queue : queues) {
    if (!IsBusy(call, *queue)) continue;
    if (busy++ == 0) wait.queue = queue;
  }
  if (busy == 0) return;
  wait.others = busy - 1;
  rules::OnHiddenWait(wait, call);
}

}  // namespace

void AdviseOnFree(CuCall& call) {
  if (!call.tracker().shadow().Enabled(RuleId::kImplicitSync)) return;
  Context* context = call.current();
  if (context == nullptr) return;
  std::vector<Queue*> queues;
  for (Stream* stream : StreamsOf(context)) {
    if (!IsCaptured(stream)) queues.push_back(stream->queue);
  }
  HiddenWait wait;
  wait.why =
      "memory that is not a pool's is given back when the device is done with all that was "
      "submitted before: drivers make the call wait for it (CUDA driver API, cuMemFree: may "
      "perform "
      "implicit synchronization)";
  wait.fix =
      "free it where the program waits for everything anyway, reuse it, or take "
      "memory of a pool (cuMemAllocAsync, cuMemFreeAsync)";
  Advise(call, wait, queues);
}

void AdviseOnLegacyStream(CuCall& call, Stream* stream) {
  if (!AdvisesOnLegacyStream(call, *stream)) return;
  StreamGroup* group = stream->queue->group;
  HiddenWait wait;
  wait.why =
      "a command of the legacy stream begins when all blocking streams are done with what they "
      "have, "
      "and what they get later begins when it is done (CUDA driver API, stream-sync-behavior)";
  wait.fix =
      "give the command a stream of its own, create the streams that need not wait with "
      "CU_STREAM_NON_BLOCKING, or use the per-thread default stream";
  Advise(call, wait, group->Members());
}

void AdviseOnPageableCopy(CuCall& call, const Transfer& transfer) {
  const bool from_host = transfer.source.is_host(), to_host = transfer.destination.is_host();
  if (from_host == to_host || !call.tracker().shadow().Enabled(RuleId::kPageableAsyncCopy)) return;
  const Side& host = from_host ? transfer.source : transfer.destination;
  if (host.region.empty() || host.pointer == nullptr) return;
  PageableCopy copy{&transfer};
  copy.why =
      "the device accesses page-locked memory only: a copy of other memory is staged by the "
      "driver, "
      "may make the call wait for the stream, and runs beside nothing (CUDA driver API, "
      "api-sync-behavior, asynchronous)";
  copy.fix =
      "allocate the block with cuMemAllocHost, or register it once with cuMemHostRegister, or say "
      "that waiting is meant by the synchronous call";
  rules::OnPageableCopy(copy, call);
}

}  // namespace gpusan::cuda
