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
  wait.cause = HiddenWait::Cause::kFree;
  Advise(call, wait, queues);
}

void AdviseOnLegacyStream(CuCall& call, Stream* stream) {
  if (!AdvisesOnLegacyStream(call, *stream)) return;
  StreamGroup* group = stream->queue->group;
  HiddenWait wait;
  wait.cause = HiddenWait::Cause::kLegacyStream;
  Advise(call, wait, group->Members());
}

void AdviseOnPageableCopy(CuCall& call, const Transfer& transfer) {
  const bool from_host = transfer.source.is_host(), to_host = transfer.destination.is_host();
  if (from_host == to_host || !call.tracker().shadow().Enabled(RuleId::kPageableAsyncCopy)) return;
  const Side& host = from_host ? transfer.source : transfer.destination;
  if (host.region.empty() || host.pointer == nullptr) return;
  rules::OnPageableCopy({&transfer}, call);
}

}  // namespace gpusan::cuda
