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
    if (transfer.recorded) return;
    if (transfer.source.resource != nullptr) Check(*transfer.source.resource, call);
  }

  static void OnLaunch(const Launch& launch, Call& call) {
    if (launch.recorded) return;
    for (const LaunchArgument& argument : launch.arguments) {
      if (argument.direction == Direction::kRead && !argument.indirect && !argument.possible)
        Check(*argument.resource, call);
    }
  }

 private:
  static void Check(const Resource& resource, Call& call) {
    const CallInfo* failed = resource.failed_write_call();
    if (failed == nullptr) [[likely]]
      return;
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
