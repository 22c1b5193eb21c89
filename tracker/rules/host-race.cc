// Check host-race: two unordered commands touch the same host memory.
#include <algorithm>

#include "tracker/rules.h"

namespace gpusan::rules {
namespace {

struct HostRace {
  static void OnConflict(const Conflict& conflict, Call& call) {
    if (conflict.resource != nullptr) return;
    const Access& earlier = *conflict.earlier;
    const Access& later = *conflict.later;
    const Vocabulary& words = call.words();
    const uint64_t first = std::max(earlier.region.offset, later.region.offset);
    const uint64_t last = std::min(earlier.region.end(), later.region.end());
    const char* hazard = earlier.write ? (later.write ? "WAW" : "RAW") : "WAR";
    FindingBuilder finding = call.Add(RuleId::kHostRace);
    if (conflict.within_call) {
      finding.Party("recorded", absl::StrCat(later.call->name, " uses it"), later.site);
    } else {
      finding.CallIs(later.call->name).At(later.site);
    }
    finding
        .What(absl::StrCat(later.call->name, later.write ? " writes" : " reads",
                           " host memory that ", earlier.call->name,
                           earlier.write ? " writes" : " reads",
                           " too, and nothing orders the two commands (", hazard,
                           "); they share up to ", BytesText(last - first)))
        .Why(absl::StrCat("the host memory of a non-blocking transfer belongs to the command until "
                          "it is complete (",
                          words.Cite(Clause::kHostMemoryInUse), ")"))
        .Fix(absl::StrCat("give each command host memory of its own, or ",
                          words.OrderFix(earlier.call->name, later.call->name)))
        .Party(
            "pending-command",
            absl::StrCat(earlier.call->name, earlier.write ? " writes" : " reads", " the memory"),
            earlier.site)
        .Fact("hazard", std::string(hazard))
        .Fact("overlap_bytes", last - first);
  }
};

}  // namespace
}  // namespace gpusan::rules
