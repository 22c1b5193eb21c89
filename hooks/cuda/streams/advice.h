// The advice checks: what is right and may be slow. Each costs one load where it is off.
#pragma once

#include "hooks/cuda/streams/contexts.h"

namespace gpusan::cuda {

// The call is a free that waits for everything in the current context.
void AdviseOnFree(CuCall& call);
// A command goes into the stream, and what the legacy stream joins with it is not complete.
void AdviseOnLegacyStream(CuCall& call, Stream* stream);
// ... may have something to say.
inline bool AdvisesOnLegacyStream(CuCall& call, const Stream& stream) {
  const StreamGroup* group = stream.queue->group;
  return group != nullptr && group->legacy() == stream.queue &&
         call.tracker().Enabled(RuleId::kImplicitSync);
}
// An asynchronous copy.
void AdviseOnPageableCopy(CuCall& call, const Transfer& transfer);

}  // namespace gpusan::cuda
