// Check call-failed: a call failed and no other check explains it.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct CallFailed {
  static void OnFailure(const Failure& failure, Call& call) {
    if (failure.tolerated || failure.out_of_memory) return;
    const Vocabulary& words = call.words();
    FindingBuilder finding = call.Add(RuleId::kCallFailed);
    if (!failure.party.empty()) finding.Party(failure.role, failure.party, failure.party_site);
    finding
        .What(absl::StrCat(call.info().name, " failed with ", words.CodeName(failure.code), " (",
                           failure.code, ")",
                           failure.facts.empty() ? "" : absl::StrCat("; ", failure.facts)))
        .Why(failure.clauses.empty() ? "the specification lists no cause of this code for this call"
                                     : failure.clauses)
        .Fix(
            "correct the argument that caused the code, or handle the code if a correct program "
            "can get it");
  }
};

}  // namespace
}  // namespace gpusan::rules
