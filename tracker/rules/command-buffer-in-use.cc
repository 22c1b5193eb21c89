// Check command-buffer-in-use: a command buffer is recorded, reset or submitted again while
// pending.
#include "tracker/rules.h"

namespace gpusan::rules {
namespace {

struct CommandBufferInUse {
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
            absl::StrCat("while it is pending, a command buffer may neither be recorded nor reset, "
                         "and be submitted again only if it was begun for simultaneous use (",
                         words.Cite(Clause::kPending), ")"))
        .Fix(absl::StrCat("wait for that submission first (", words.WaitCalls(),
                          "), or use one command buffer for each frame in flight"))
        .Party("pending-command", absl::StrCat("submitted by ", use.pending->name, words.CommandLabel(use.label)), use.site)
        .CreatedBy(*use.object)
        .About(*use.object);
    if (*use.vuid != '\0') finding.Fact("vuid", std::string(use.vuid));
  }
};

}  // namespace
}  // namespace gpusan::rules
