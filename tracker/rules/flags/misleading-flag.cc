// Check misleading-flag: a host write to an image whose access flag restricts only kernels.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct MisleadingFlag {
  static void OnTransfer(const Transfer& transfer, Call& call) {
    if (transfer.kind != TransferKind::kWrite && transfer.kind != TransferKind::kRead) return;
    const bool writes = transfer.kind == TransferKind::kWrite;
    const Resource* resource = writes ? transfer.destination.resource : transfer.source.resource;
    // Only for images, where users misread the flag. Host writes to read-only buffers are common.
    if (resource == nullptr || resource->kind != ObjectKind::kImage) return;
    constexpr uint16_t kHostFlags = kHostNoAccess | kHostReadOnly | kHostWriteOnly;
    if (!writes || !resource->has(kKernelReadOnly) || !resource->has(kCopiedHostMemory) ||
        (resource->flags & kHostFlags) != 0) {
      return;
    }
    const Vocabulary& words = call.words();
    call.Add(RuleId::kMisleadingFlag)
        .What(absl::StrCat("the host writes ", ObjectText(*resource, words),
                           ", which was created with ", words.Flags(*resource), "; this is legal"))
        .Why(
            "the read-only and write-only flags restrict kernels; the access of the host is "
            "restricted by other flags",
            Clause::kHostAccessFlag)
        .Fix(
            "no change is needed; if this write fails, check its region, pitches and host "
            "block instead")
        .WithCreation(*resource)
        .Fact("flags", words.Flags(*resource));
  }
};

}  // namespace
}  // namespace gpusan::rules
