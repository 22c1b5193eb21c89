// Check host-free-in-flight: a host block is freed while a command or an object uses it.
#include "tracker/rules/events/left_stack.h"
#include "tracker/rules/events/lost_memory.h"
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct HostFreeInFlight {
  static void OnHostFree(const HostFree& free, Call& call) {
    if (free.shared != nullptr) return;
    const Vocabulary& words = call.words();
    if (free.pending != nullptr && free.by_api != HostFree::ByApi::kNo) {
      CheckApiFree(free, call);
    } else if (free.pending != nullptr && IsArgument(*free.pending)) {
      CheckArgument(free, call);
    } else if (free.pending != nullptr) {
      call.MayCrash();
      FindingBuilder finding = call.Add(RuleId::kHostFreeInFlight);
      finding
          .What(absl::StrCat("a host block of ", BytesText(free.block.bytes), " is freed while ",
                             free.pending->call->name,
                             free.pending->write ? " still writes" : " still reads",
                             " it: the command is not known to be complete"))
          .Why(
              "the host memory of a non-blocking transfer must exist until the command is complete",
              Clause::kHostMemoryInUse)
          .Fix(absl::StrCat("wait for the command (", words.WaitCalls(), ") before the free"))
          .Party("pending-command", absl::StrCat(free.pending->call->name, " uses the block"),
                 free.pending->site)
          .Fact("block_bytes", free.block.bytes);
      if (free.block.site != kUnknownSite) {
        finding.Party("host-block", absl::StrCat("host block of ", BytesText(free.block.bytes)),
                      free.block.site);
      }
    }
    if (free.pinned != nullptr) {
      const bool in_use = InUse(*free.pinned, call);
      call.MayCrash();
      call.Add(RuleId::kHostFreeInFlight)
          .Severe(in_use ? Severity::kError : Severity::kWarning)
          .What(absl::StrCat("a host block of ", BytesText(free.block.bytes), " is freed ",
                             in_use ? "while " : "before the release of ",
                             ObjectText(*free.pinned, words),
                             in_use ? " uses it as its storage" : ", which uses it as its storage"))
          .Why("host memory that an object uses as its storage must exist as long as the object",
               Clause::kHostMemoryInUse)
          .Fix("free the block after the object is released and its commands are complete")
          .CreatedBy(*free.pinned)
          .Party("host-block", absl::StrCat("host block of ", BytesText(free.block.bytes)),
                 free.block.site)
          .About(*free.pinned)
          .Fact("block_bytes", free.block.bytes);
    }
  }

  static void OnLeftStack(const LeftStack& use, Call& call) {
    const Vocabulary& words = call.words();
    const Access& pending = *use.pending;
    if (use.storage != nullptr) return CheckLeftStorage(use, call);
    if (use.thread_ended) return CheckEndedThread(pending, call);
    call.Add(RuleId::kHostFreeInFlight)
        .What(absl::StrCat("the function that owned ", BytesText(pending.region.bytes()),
                           " of the stack has returned while ", pending.call->name,
                           pending.write ? " still writes" : " still reads",
                           " this memory: nothing before this ", call.info().name,
                           " waits for the command"))
        .Why("the host memory of a non-blocking transfer must exist until the command is complete",
             Clause::kHostMemoryInUse)
        .Fix(absl::StrCat("wait for the command (", words.WaitCalls(),
                          ") before the function returns, make the transfer blocking, or pass "
                          "memory that exists longer"))
        .Party("pending-command",
               absl::StrCat(pending.call->name, " uses the memory of a local variable"),
               pending.site)
        .Fact("block_bytes", pending.region.bytes());
  }

  static void OnLostMemory(const LostMemory& lost, Call& call) {
    const Vocabulary& words = call.words();
    const Access& pending = *lost.pending;
    const bool discards = lost.loss == HostLoss::kContent;
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kHostFreeInFlight);
    finding
        .What(absl::StrCat(call.info().name,
                           discards ? " discards the content of "
                           : lost.loss == HostLoss::kAllRights
                               ? " takes the right to read and write from "
                               : " takes the right to write from ",
                           BytesText(lost.block.bytes), " of host memory while ",
                           pending.call->name, pending.write ? " still writes" : " still reads",
                           " it: the command is not known to be complete"))
        .Why("the host memory of a non-blocking transfer must exist until the command is complete",
             Clause::kHostMemoryInUse)
        .Fix(absl::StrCat("wait for the command (", words.WaitCalls(), ") before the ",
                          call.info().name))
        .Party("pending-command", absl::StrCat(pending.call->name, " uses the memory"),
               pending.site)
        .Fact("block_bytes", lost.block.bytes);
    if (lost.block.site != kUnknownSite)
      finding.Party("host-block", "host memory of the range", lost.block.site);
  }

 private:
  // Whether the memory is held as the argument of a host function.
  static bool IsArgument(const Access& pending) { return pending.sureness == Sureness::kHeld; }

  static void CheckArgument(const HostFree& free, Call& call) {
    const Access& pending = *free.pending;
    FindingBuilder finding = call.Add(RuleId::kHostFreeInFlight);
    finding.Severe(Severity::kWarning)
        .What(absl::StrCat("a host block of ", BytesText(free.block.bytes),
                           " is freed while the function of ", pending.call->name,
                           ", which gets it as userData, is not known to have run"))
        .Why("userData must point to memory that exists when the function runs",
             Clause::kFunctionArgument)
        .Fix(absl::StrCat("free the block in the function, or wait (", call.words().WaitCalls(),
                          ") before the free"))
        .Party("pending-command", absl::StrCat(pending.call->name, " passes userData"),
               pending.site)
        .Fact("block_bytes", free.block.bytes);
    if (free.block.site != kUnknownSite)
      finding.Party("host-block", absl::StrCat("host block of ", BytesText(free.block.bytes)),
                    free.block.site);
  }

  static void CheckLeftStorage(const LeftStack& use, Call& call) {
    const Vocabulary& words = call.words();
    const Access& pending = *use.pending;
    const char* const owner = use.thread_ended ? "thread" : "function";
    call.Add(RuleId::kHostFreeInFlight)
        .What(absl::StrCat("the ", owner, " that owned the storage of ",
                           ObjectText(*use.storage, words), " on its stack has ",
                           use.thread_ended ? "ended" : "returned", " while ", pending.call->name,
                           pending.write ? " still writes" : " still reads",
                           " it: the command is not known to be complete"))
        .Why("host memory that an object uses as its storage must exist as long as the object",
             Clause::kHostMemoryInUse)
        .Fix(absl::StrCat("release the object and wait for its commands (", words.WaitCalls(),
                          ") before the ", owner, use.thread_ended ? " ends" : " returns",
                          ", or pass memory that exists longer"))
        .Party("pending-command",
               absl::StrCat(pending.call->name, " uses the memory of a local variable"),
               pending.site)
        .WithCreation(*use.storage)
        .Fact("block_bytes", use.storage->bytes);
  }

  static void CheckEndedThread(const Access& pending, Call& call) {
    const Vocabulary& words = call.words();
    call.Add(RuleId::kHostFreeInFlight)
        .What(absl::StrCat("the thread that owned ", BytesText(pending.region.bytes()),
                           " of its stack has ended while ", pending.call->name,
                           pending.write ? " still writes" : " still reads",
                           " this memory: nothing before the end of the thread waits for the "
                           "command"))
        .Why("the host memory of a non-blocking transfer must exist until the command is complete",
             Clause::kHostMemoryInUse)
        .Fix(absl::StrCat("wait for the command (", words.WaitCalls(),
                          ") before the thread ends, make the transfer blocking, or pass memory "
                          "that exists longer"))
        .Fact("block_bytes", pending.region.bytes());
  }

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
        .Why(absl::StrCat(
                 "the host memory of an asynchronous copy must ",
                 unregisters ? "stay page-locked" : "exist",
                 " until the copy is complete, and the call is not documented to wait for it"),
             Clause::kHostMemoryInUse)
        .Fix(absl::StrCat("wait for the command (", words.WaitCalls(), ") before the ",
                          unregisters ? "unregistration" : "free"))
        .Party("pending-command", absl::StrCat(free.pending->call->name, " uses the block"),
               free.pending->site)
        .Party("host-block", absl::StrCat("host block of ", BytesText(free.block.bytes)),
               free.block.site)
        .Fact("block_bytes", free.block.bytes);
  }

  // Whether the object may still use its storage: a command is pending, or the object is named by
  // its address. The storage of other objects is not used after their last command, although the
  // specification requires it until the release.
  static bool InUse(const Resource& resource, const Call& call) {
    if (resource.by_address()) return true;
    const Resource& root = *resource.root;
    if (root.part != nullptr && root.part->IsPending(call.shadow().host())) return true;
    std::lock_guard lock(root.lock);
    return root.history.FindPending(Region::Linear(0, UINT64_MAX), false, call.shadow().host()) !=
           nullptr;
  }
};

}  // namespace
}  // namespace gpusan::rules
