// Performance checks: calls that are correct and may be slow. A disabled check costs one load.
#pragma once

#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {

// Reports a free that waits for everything in the current context.
void AdviseOnFree(CuCall& call);
// Reports a command that is enqueued to `stream` while streams that the legacy stream joins have
// pending work.
void AdviseOnLegacyStream(CuCall& call, Stream* stream);
// True if AdviseOnLegacyStream may report a finding.
inline bool AdvisesOnLegacyStream(CuCall& call, const Stream& stream) {
  const StreamGroup* group = stream.queue->group;
  return group != nullptr && group->legacy() == stream.queue &&
         call.tracker().shadow().Enabled(RuleId::kImplicitSync);
}
// Reports an asynchronous copy from or to pageable memory.
void AdviseOnPageableCopy(CuCall& call, const Transfer& transfer);

}  // namespace gpusan::cuda
