// Check unflushed-host-write: the device reads memory that the host wrote and did not flush.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct UnflushedHostWrite {
  static void OnMappedUse(const MappedUse& use, Call& call) {
    const bool never = use.fault == MappedUse::Fault::kNeverFlushed;
    if (!never && use.fault != MappedUse::Fault::kUnflushed) return;
    const Vocabulary& words = call.words();
    FindingBuilder finding = call.Add(RuleId::kUnflushedHostWrite);
    // A shader need not access the resources that are bound to it.
    finding.Severe(use.certain ? Severity::kError : Severity::kWarning)
        .What(absl::StrCat(use.device->name, use.certain ? " reads " : " may read ",
                           BytesText(use.bytes), " of ", MappedText(use, words),
                           never ? ", of which nothing has been flushed since it was allocated"
                                 : ", which the host has changed and not flushed"))
        .Why(
            "the memory is not coherent: host writes reach the device only through a flush before "
            "the submission",
            Clause::kMemoryMapping)
        .Fix(
            "call vkFlushMappedMemoryRanges for the written range, rounded out to "
            "nonCoherentAtomSize, before the submission; or allocate from a type with "
            "VK_MEMORY_PROPERTY_HOST_COHERENT_BIT");
    AddMappedUse(finding, use, words);
    finding.Fact("sync_hazard", std::string("SYNC-HAZARD-READ-AFTER-WRITE"));
  }
};

}  // namespace
}  // namespace gpusan::rules
