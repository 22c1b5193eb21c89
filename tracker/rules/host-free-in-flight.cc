// Check host-free-in-flight: a host block is freed while a command or an object uses it.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct HostFreeInFlight {
  static void OnHostFree(const HostFree& free, Call& call) {
    if (free.shared != nullptr) return;
    const Vocabulary& words = call.words();
    if (free.pending != nullptr && free.by_api != HostFree::ByApi::kNo) {
      CheckApiFree(free, call);
    } else if (free.pending != nullptr) {
      call.MayCrash();
      call.Add(RuleId::kHostFreeInFlight)
          .What(absl::StrCat("a host block of ", BytesText(free.block.bytes), " is freed while ",
                             free.pending->call->name,
                             free.pending->write ? " still writes" : " still reads",
                             " it: the command is not known to be complete"))
          .Why(absl::StrCat("the host memory of a non-blocking transfer must exist until the "
                            "command is complete (",
                            words.Cite(Clause::kHostMemoryInUse), ")"))
          .Fix(absl::StrCat("wait for the command (", words.WaitCalls(), ") before the free"))
          .Party("pending-command", absl::StrCat(free.pending->call->name, " uses the block"),
                 free.pending->site)
          .Party("host-block", absl::StrCat("host block of ", BytesText(free.block.bytes)),
                 free.block.site)
          .Fact("block_bytes", free.block.bytes);
    }
    if (free.pinned != nullptr) {
      call.MayCrash();
      call.Add(RuleId::kHostFreeInFlight)
          .What(absl::StrCat("a host block of ", BytesText(free.block.bytes), " is freed while ",
                             ObjectText(*free.pinned, words), " uses it as its storage"))
          .Why(absl::StrCat(
              "host memory that an object uses as its storage must exist as long as the object (",
              words.Cite(Clause::kHostMemoryInUse), ")"))
          .Fix("free the block after the object is released and its commands are complete")
          .CreatedBy(*free.pinned)
          .Party("host-block", absl::StrCat("host block of ", BytesText(free.block.bytes)),
                 free.block.site)
          .About(*free.pinned)
          .Fact("block_bytes", free.block.bytes);
    }
  }

 private:
  static void CheckApiFree(const HostFree& free, Call& call) {
    const Vocabulary& words = call.words();
    const bool unregisters = free.by_api == HostFree::ByApi::kUnregister;
    call.Add(RuleId::kHostFreeInFlight)
        .Severe(Severity::kWarning)
        .What(absl::StrCat("a host block of ", BytesText(free.block.bytes), " is ",
                           unregisters ? "unregistered" : "freed", " while ",
                           free.pending->call->name,
                           free.pending->write ? " still writes" : " still reads",
                           " it: the command is not known to be complete"))
        .Why(absl::StrCat("the host memory of an asynchronous copy must ",
                          unregisters ? "stay page-locked" : "exist",
                          " until the copy is complete, and the call is not documented to wait for "
                          "it (",
                          words.Cite(Clause::kHostMemoryInUse), ")"))
        .Fix(absl::StrCat("wait for the command (", words.WaitCalls(), ") before the ",
                          unregisters ? "unregistration" : "free"))
        .Party("pending-command", absl::StrCat(free.pending->call->name, " uses the block"),
               free.pending->site)
        .Party("host-block", absl::StrCat("host block of ", BytesText(free.block.bytes)),
               free.block.site)
        .Fact("block_bytes", free.block.bytes);
  }
};

}  // namespace
}  // namespace gpusan::rules
