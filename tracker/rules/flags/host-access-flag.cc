// Check host-access-flag: the host reads or writes an object whose flags deny the access.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct HostAccessFlag {
  static void OnTransfer(const Transfer& transfer, Call& call) {
    switch (transfer.kind) {
      case TransferKind::kWrite:
        if (transfer.destination.resource != nullptr)
          Check(*transfer.destination.resource, false, true, call);
        break;
      case TransferKind::kRead:
        if (transfer.source.resource != nullptr)
          Check(*transfer.source.resource, true, false, call);
        break;
      case TransferKind::kMap:
        if (transfer.source.resource != nullptr) {
          Check(*transfer.source.resource, transfer.map_read, transfer.map_write, call);
        }
        break;
      default:
        break;
    }
  }

 private:
  static void Check(const Resource& resource, bool reads, bool writes, Call& call) {
    constexpr uint16_t kHostFlags = kHostNoAccess | kHostReadOnly | kHostWriteOnly;
    if ((resource.flags & kHostFlags) == 0) [[likely]]
      return;
    if (resource.kind == ObjectKind::kMappedMemory) return;  // the subject of kernel-access-flag
    const bool denied = resource.has(kHostNoAccess) || (reads && resource.has(kHostWriteOnly)) ||
                        (writes && resource.has(kHostReadOnly));
    if (!denied) return;
    const char* act = reads && writes ? "reads and writes" : writes ? "writes" : "reads";
    const Vocabulary& words = call.words();
    call.Add(RuleId::kHostAccessFlag)
        .What(absl::StrCat("the host ", act, " ", ObjectText(resource, words),
                           ", which was created with ", words.Flags(resource)))
        .Why("the host-access flags of the object exclude this access by the host",
             Clause::kHostAccessFlag)
        .Fix(absl::StrCat("create the object with flags that allow the host to ",
                          writes ? "write" : "read",
                          " it, or write and read it by copies on the device"))
        .WithCreation(resource)
        .Fact("flags", words.Flags(resource));
  }
};

}  // namespace
}  // namespace gpusan::rules
