// Check sticky-error: the device faulted behind the program's back; what was pending then.
#include "tracker/rules.h"

namespace gpusan::rules {
namespace {

struct StickyError {
  static void OnDeviceFault(const DeviceFault& fault, Call& call) {
    constexpr size_t kShown = 8;
    const Vocabulary& words = call.words();
    FindingBuilder finding = call.Add(RuleId::kStickyError);
    std::string list;
    bool flawed = false;
    for (size_t i = 0; i < fault.pending.size() && i < kShown; ++i) {
      const DeviceFault::Pending& pending = fault.pending[i];
      flawed |= !pending.flaw.empty();
      absl::StrAppend(&list, i == 0 ? "" : ", ", NameOf(pending));
    }
    if (fault.pending.size() > kShown)
      absl::StrAppend(&list, " and ", fault.pending.size() - kShown, " more");
    finding
        .What(absl::StrCat(
            call.info().name, " tells of a fault of the device: ", fault.meaning, "; ",
            fault.pending.empty() ? "no command that was seen is pending"
                                  : absl::StrCat("pending, newest first: ", list)))
        .Why(absl::StrCat("a fault comes to light at the next call that looks, whatever that call is "
                          "about, and every later call ", fault.extent, " returns it (",
                          words.Cite(Clause::kDeviceFault),
                          "); later failures are counted here"))
        .Fix(absl::StrCat(
            fault.is_hardware ? "look at the state of the device"
            : flawed ? "look first at what is said of the arguments of the pending commands"
                     : absl::StrCat("look at the pending commands; ", words.FaultFinder()),
            "; ", fault.recovery))
        .Fact("pending_commands", uint64_t{fault.pending.size()});
    for (size_t i = 0; i < fault.pending.size() && i < kShown; ++i) {
      const DeviceFault::Pending& pending = fault.pending[i];
      finding.Party("pending-command",
                    pending.flaw.empty() ? NameOf(pending)
                                         : absl::StrCat(NameOf(pending), "; ", pending.flaw),
                    pending.site);
    }
  }

 private:
  static std::string NameOf(const DeviceFault::Pending& pending) {
    return pending.kernel == nullptr
               ? std::string(pending.call->name)
               : absl::StrCat("kernel \"", pending.kernel->name, "\" (", pending.call->name, ")");
  }
};

}  // namespace
}  // namespace gpusan::rules
