// Check uninvalidated-host-read: the host reads device writes without an invalidation.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct UninvalidatedHostRead {
  static void OnMappedUse(const MappedUse& use, Call& call) {
    if (use.fault != MappedUse::Fault::kUninvalidated) return;
    const Vocabulary& words = call.words();
    FindingBuilder finding = call.Add(RuleId::kUninvalidatedHostRead);
    finding.Severe(use.certain ? Severity::kError : Severity::kWarning)
        .What(use.certain
                  ? absl::StrCat("the host accesses ", MappedText(use, words), ", which ",
                                 use.device->name,
                                 " wrote, without an invalidation after the write was complete")
                  : absl::StrCat("a mapping of ", MappedText(use, words), ", which ",
                                 use.device->name,
                                 " wrote, ends without a change by the host and without an "
                                 "invalidation: the data that the host read may be stale"))
        .Why(
            "the memory is not coherent: device writes reach the host only through an invalidation "
            "after the wait",
            Clause::kMemoryMapping)
        .Fix(
            "call vkInvalidateMappedMemoryRanges after the wait and before the access, rounded "
            "out to nonCoherentAtomSize; or allocate from a type with "
            "VK_MEMORY_PROPERTY_HOST_COHERENT_BIT");
    AddMappedUse(finding, use, words);
    finding.Fact("sync_hazard", std::string("SYNC-HAZARD-READ-AFTER-WRITE"));
  }
};

}  // namespace
}  // namespace gpusan::rules
