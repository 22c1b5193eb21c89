// Check implicit-sync: a call waits for the work of queues although waiting is not its purpose.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct ImplicitSync {
  static void OnHiddenWait(const HiddenWait& wait, Call& call) {
    const Vocabulary& words = call.words();
    const bool frees = wait.cause == HiddenWait::Cause::kFree;
    call.Add(RuleId::kImplicitSync)
        .What(absl::StrCat(call.info().name, " waits for ", ObjectText(*wait.queue, words),
                           wait.others == 0 ? "" : absl::StrCat(" and ", wait.others, " more"),
                           ", which has work that is not known to be complete"))
        .Why(frees ? "memory outside of pools is freed when the device has finished all earlier "
                     "work: drivers make the call wait for that work (CUDA driver "
                     "API, cuMemFree: may perform implicit synchronization)"
                   : "a command of the legacy stream waits for all earlier commands of blocking "
                     "streams, and their later commands wait for it (CUDA driver "
                     "API, stream-sync-behavior)")
        .Fix(frees ? "allocate and free the memory in stream order (cuMemAllocAsync, "
                     "cuMemFreeAsync), or reuse the memory"
                   : "enqueue the command to another stream, or create the streams that need not "
                     "wait with CU_STREAM_NON_BLOCKING")
        .WithCreation(*wait.queue)
        .Fact("busy_queues", wait.others + 1);
  }
};

}  // namespace
}  // namespace gpusan::rules
