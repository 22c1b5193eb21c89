// Check sticky-error: a call returned an asynchronous device fault; lists the pending commands.
#include <algorithm>

#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct StickyError {
  static void OnDeviceFault(const DeviceFault& fault, Call& call) {
    constexpr size_t kShown = 8, kShownNodes = 16;
    const Vocabulary& words = call.words();
    FindingBuilder finding = call.Add(RuleId::kStickyError);
    std::string list;
    bool flawed = false;
    for (size_t i = 0; i < fault.pending.size() && i < kShown; ++i) {
      const DeviceFault::Pending& pending = fault.pending[i];
      flawed |= !pending.flaw.empty();
      for (const DeviceFault::Work& node : pending.nodes) flawed |= !node.flaw.empty();
      absl::StrAppend(&list, i == 0 ? "" : ", ", NameOf(pending), NodesOf(fault, pending));
    }
    if (fault.pending.size() > kShown)
      absl::StrAppend(&list, " and ", fault.pending.size() - kShown, " more");
    finding
        .What(absl::StrCat(call.info().name,
                           " returned an asynchronous device fault: ", fault.meaning, "; ",
                           fault.pending.empty() ? "no observed command is pending"
                                                 : absl::StrCat("pending, newest first: ", list)))
        .Why(absl::StrCat(
            "a device fault is returned by the next call that checks for faults, not by the call "
            "that caused it, and by every later call ",
            fault.extent, " (", words.Cite(Clause::kDeviceFault),
            "); gpusan counts these later failures as this finding"))
        .Fix(absl::StrCat(fault.is_hardware ? "check the state of the device"
                          : flawed
                              ? "fix the argument errors of the pending commands first"
                              : absl::StrCat("check the pending commands; ", words.FaultFinder()),
                          "; ", fault.recovery))
        .Fact("pending_commands", uint64_t{fault.pending.size()});
    size_t nodes = 0;
    for (size_t i = 0; i < fault.pending.size() && i < kShown; ++i) {
      const DeviceFault::Pending& pending = fault.pending[i];
      finding.Party("pending-command", TextOf(pending), pending.site);
      for (const DeviceFault::Work& node : pending.nodes) {
        if (nodes++ < kShownNodes)
          finding.Party("recorded", absl::StrCat("in the ", fault.recorder, ": ", TextOf(node)),
                        node.site);
      }
    }
  }

 private:
  static std::string NameOf(const DeviceFault::Work& work) {
    return work.kernel == nullptr
               ? std::string(work.call->name)
               : absl::StrCat("kernel \"", work.kernel->name, "\" (", work.call->name, ")");
  }
  static std::string TextOf(const DeviceFault::Work& work) {
    return work.flaw.empty() ? NameOf(work) : absl::StrCat(NameOf(work), "; ", work.flaw);
  }
  static std::string NodesOf(const DeviceFault& fault, const DeviceFault::Pending& pending) {
    constexpr size_t kNamed = 4;
    std::string text;
    const size_t named = std::min(pending.nodes.size(), kNamed);
    for (size_t i = 0; i < named; ++i)
      absl::StrAppend(&text, i == 0 ? " of " : ", ", NameOf(pending.nodes[i]));
    if (pending.node_count > named)
      absl::StrAppend(&text, " and ",
                      CountText(pending.node_count - named, absl::StrCat("more ", fault.recorded)));
    return text;
  }
};

}  // namespace
}  // namespace gpusan::rules
