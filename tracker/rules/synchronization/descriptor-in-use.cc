// Check descriptor-in-use: a descriptor set is changed while pending work uses it.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct DescriptorInUse {
  static void OnPendingUse(const PendingUse& use, Call& call) {
    if (use.act != PendingUse::Act::kUpdate) return;
    const Vocabulary& words = call.words();
    FindingBuilder finding = call.Add(RuleId::kDescriptorInUse);
    finding
        .What(absl::StrCat(call.info().name, " changes ", ObjectText(*use.object, words), " while ",
                           use.pending->name, ", which uses it, is not known to be complete"))
        .Why(absl::StrCat("a descriptor must not be changed while pending commands use it, unless "
                          "the flags of its binding allow it (",
                          words.Cite(Clause::kPending), ")"))
        .Fix(absl::StrCat("wait for the submission first (", words.WaitCalls(),
                          "), or use one descriptor set for each frame in flight"))
        .Party("pending-command",
               absl::StrCat(use.pending->name, " uses it", words.CommandLabel(use.label)), use.site)
        .CreatedBy(*use.object)
        .About(*use.object);
    if (*use.vuid != '\0') finding.Fact("vuid", std::string(use.vuid));
  }
};

}  // namespace
}  // namespace gpusan::rules
