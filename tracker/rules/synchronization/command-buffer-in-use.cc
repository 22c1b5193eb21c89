// Check command-buffer-in-use: a command buffer is recorded, reset, ended or submitted while it is
// pending or in another state that does not allow the call, or while another thread uses its pool.
#include "tracker/rules/events/concurrent_use.h"
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct CommandBufferInUse {
  static void OnConcurrentUse(const ConcurrentUse& use, Call& call) {
    if (RuleOf(use) == RuleId::kCommandBufferInUse) AddConcurrentUse(use, call);
  }

  static void OnPendingUse(const PendingUse& use, Call& call) {
    if (use.act != PendingUse::Act::kRecord) return;
    const Vocabulary& words = call.words();
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kCommandBufferInUse);
    finding
        .What(absl::StrCat(call.info().name, " on ", ObjectText(*use.object, words),
                           ", which is pending: ", use.pending->name,
                           " is not known to be complete"))
        .Why(
            "a pending command buffer must not be recorded or reset, and may be submitted again "
            "only if it was begun for simultaneous use",
            Clause::kPending)
        .Fix(absl::StrCat("wait for the submission first (", words.WaitCalls(),
                          "), or use one command buffer for each frame in flight"))
        .Party("pending-command",
               absl::StrCat("submitted by ", use.pending->name, words.CommandLabel(use.label)),
               use.site)
        .WithCreation(*use.object);
    if (*use.vuid != '\0') finding.Fact("vuid", std::string(use.vuid));
  }
};

}  // namespace
}  // namespace gpusan::rules
