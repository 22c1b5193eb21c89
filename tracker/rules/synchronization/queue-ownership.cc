// Check queue-ownership: a queue family uses a resource that it does not own.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct QueueOwnership {
  static void OnOwnershipUse(const OwnershipUse& use, Call& call) {
    const Vocabulary& words = call.words();
    const Resource& resource = *use.resource;
    std::string what;
    std::string fix =
        "release it with a barrier on the old queue, then, after a semaphore, acquire it with "
        "the same barrier on the new queue; or create it in concurrent sharing mode";
    switch (use.misuse) {
      case Ownership::Misuse::kNone:
        return;
      case Ownership::Misuse::kNotOwner:
        if (use.released_to == Ownership::kNobody) {
          what = absl::StrCat("is used by queue family ", use.family, ", but belongs to family ",
                              use.owner);
        } else if (use.released_to == use.family) {
          what = absl::StrCat("is used by queue family ", use.family, ", to which family ",
                              use.owner, " released it, before an acquisition");
          fix = absl::StrCat("before the use, record on family ", use.family,
                             " the barrier that acquires it, with the families and layouts of the "
                             "release");
        } else {
          what = absl::StrCat("is used by queue family ", use.family, " after family ", use.owner,
                              " released it to family ", use.released_to);
          fix = absl::StrCat("record the release behind the last use on family ", use.owner,
                             ", or transfer it from family ", use.released_to, " before the use");
        }
        break;
      case Ownership::Misuse::kNotReleased:
        what = use.owner == Ownership::kNobody
                   ? absl::StrCat("is acquired by queue family ", use.family,
                                  ", but no family has released it")
               : use.owner == use.family
                   ? absl::StrCat("is acquired by queue family ", use.family,
                                  ", which owns it already: no other family has released it")
                   : absl::StrCat("is acquired by queue family ", use.family, ", but family ",
                                  use.owner, " has not released it");
        break;
      case Ownership::Misuse::kDifferentTransfer:
        what = absl::StrCat("is acquired by queue family ", use.family,
                            " with different families than its release named");
        break;
      case Ownership::Misuse::kReleasedByNonOwner:
        what = absl::StrCat("is released by queue family ", use.family, ", but belongs to family ",
                            use.owner);
        break;
    }
    FindingBuilder finding = call.Add(RuleId::kQueueOwnership);
    finding.What(absl::StrCat(ObjectText(resource, words), " ", what))
        .Why(
            "a resource in exclusive sharing mode belongs to one queue family; without a transfer "
            "its content is undefined in other families",
            Clause::kOwnership)
        .Fix(fix);
    if (use.recorder != nullptr)
      finding.Party("recorded", absl::StrCat("recorded by ", use.recorder->name), use.recorded_at);
    finding.WithCreation(resource).Fact("family", uint64_t{use.family});
    if (use.owner != Ownership::kNobody) finding.Fact("owner", uint64_t{use.owner});
    if (*use.vuid != '\0') finding.Fact("vuid", std::string(use.vuid));
  }
};

}  // namespace
}  // namespace gpusan::rules
