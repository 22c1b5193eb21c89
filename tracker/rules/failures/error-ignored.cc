// Check error-ignored: the program uses the result of a call that failed.
#include "tracker/rules/events/failed_update.h"
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct ErrorIgnored {
  static void OnNullUse(const NullUse& use, Call& call) {
    const FailedCreation& failed = *use.failed;
    const Vocabulary& words = call.words();
    call.MayCrash();
    call.Add(RuleId::kErrorIgnored)
        .What(absl::StrCat(use.argument, " is ", use.value == 0 ? "NULL" : HandleText(use.value),
                           "; ", failed.call->name, " failed earlier with ",
                           words.CodeName(failed.code), " (", failed.code, ") and returned no ",
                           words.KindName(use.kind)))
        .Why(
            "the program did not act on the return code of the creation, and uses the object that "
            "was not created")
        .Fix(absl::StrCat("check the return code of ", failed.call->name,
                          "; its own finding names the cause of the failure"))
        .Party("failed-call",
               absl::StrCat(failed.call->name, " failed with ", words.CodeName(failed.code)),
               failed.site)
        .Fact("argument", std::string(use.argument))
        .Fact("failed_call", std::string(failed.call->name))
        .Fact("failed_code", words.CodeName(failed.code));
  }

  // A warning only: the work of the earlier graph may be what the program wants.
  static void OnFailedUpdate(const FailedUpdate& update, Call& call) {
    const Vocabulary& words = call.words();
    const std::string code = words.CodeName(update.code);
    FindingBuilder finding = call.Add(RuleId::kErrorIgnored);
    finding.Severe(Severity::kWarning)
        .What(absl::StrCat("after ", update.call->name, " failed with ", code, " (", update.result,
                           "), ", call.info().name, " launches ", ObjectText(*update.exec, words),
                           ", which still has the work of the "
                           "earlier graph"))
        .Why(absl::StrCat(update.reason,
                          ", so the update was not performed (CUDA driver API, cuGraphExecUpdate: "
                          "the return code should always be checked)"))
        .Fix(
            absl::StrCat("check the return code of ", update.call->name,
                         "; if it fails, instantiate the new graph (cuGraphInstantiate) and launch "
                         "that"))
        .Party("failed-call", absl::StrCat(update.call->name, " failed with ", code), update.site)
        .WithCreation(*update.exec)
        .Fact("failed_call", std::string(update.call->name))
        .Fact("failed_code", code)
        .Fact("update_result", std::string(update.result));
    if (update.node != nullptr)
      finding.Party("differing-node",
                    absl::StrCat("the node that differs was created by ", update.node->name),
                    update.node_site);
  }

  static void OnTransfer(const Transfer& transfer, Call& call) {
    if (transfer.kind != TransferKind::kRead && transfer.kind != TransferKind::kCopy) return;
    if (transfer.recorded || transfer.source.resource == nullptr) return;
    const Resource& resource = *transfer.source.resource;
    if (resource.failed_write_call() == nullptr) [[likely]]
      return;
    if (!IsWritten(resource, transfer.source.region, true, call)) Report(resource, call);
  }

  static void OnLaunch(const Launch& launch, Call& call) {
    if (launch.recorded) return;
    for (const LaunchArgument& argument : launch.arguments) {
      const Resource& resource = *argument.resource;
      if (resource.failed_write_call() == nullptr) [[likely]]
        continue;
      if (argument.direction != Direction::kRead || argument.indirect || argument.possible)
        continue;
      const bool exact = argument.ranged && argument.certain && argument.sure;
      const Region read =
          exact ? Region::Linear(argument.offset + argument.first, argument.last - argument.first)
                : Region::Linear(0, resource.bytes);
      if (!IsWritten(resource, read, exact, call)) Report(resource, call);
    }
  }

 private:
  // Returns whether something may have written the bytes since the failed call, also by a kernel,
  // through a mapping, or through another object with the same memory. `exact`: each byte of
  // `region` is read; otherwise some of them are. Takes the lock of the resource.
  static bool IsWritten(const Resource& resource, const Region& region, bool exact, Call& call) {
    if (call.shadow().MayHoldUnseenWrites(resource)) return true;
    const Resource& root = *resource.root;
    const Region bytes = region.Shifted(resource.root_offset);
    std::lock_guard lock(root.lock);
    return exact ? root.init.Covered(bytes) : !root.init.Untouched(bytes);
  }

  static void Report(const Resource& resource, Call& call) {
    const CallInfo* failed = resource.failed_write_call();
    const ResourceExtra& extra = *resource.more();
    const Vocabulary& words = call.words();
    const std::string code = words.CodeName(extra.failed_write_code);
    call.Add(RuleId::kErrorIgnored)
        .What(absl::StrCat(ObjectText(resource, words), " is read, but ", failed->name,
                           ", which should have written it, failed with ", code))
        .Why("no later call has written these bytes, so their content is undefined")
        .Fix(absl::StrCat("check the return code of ", failed->name,
                          ", and stop or repeat the write"))
        .Party("failed-call", absl::StrCat(failed->name, " failed with ", code),
               extra.failed_write_site)
        .WithCreation(resource)
        .Fact("failed_call", std::string(failed->name))
        .Fact("failed_code", code);
  }
};

}  // namespace
}  // namespace gpusan::rules
