// Check guard-overwritten: a command wrote into the guard zone in front of or behind an allocation.
#include "tracker/rules/events/guard_damage.h"
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct GuardOverwritten {
  static void OnGuardDamage(const GuardDamage& damage, Call& call) {
    const GuardSuspect* likely = Likely(damage);
    const bool sure = damage.suspects.size() == 1 && damage.more_suspects == 0;
    const char* const edge = damage.front ? " in front of its start" : " behind its end";
    const std::string where =
        absl::StrCat(damage.nearest == 0 ? "directly" : BytesText(damage.nearest), edge);
    const std::string who = likely == nullptr ? "a command"
                            : sure            ? likely->text
                                   : absl::StrCat("a command, probably ", likely->text, ",");
    // A change of the zone's last byte may go on behind the zone.
    const char* const wrote =
        damage.farthest + 1 == damage.zone_bytes ? " wrote at least " : " wrote ";
    FindingBuilder finding = call.Add(RuleId::kGuardOverwritten);
    finding
        .What(absl::StrCat(who, wrote, BytesText(damage.changed_bytes), " outside of ",
                           damage.allocation, ", ", where, "; found ", damage.when))
        .Why(absl::StrCat("the guard zone of ", BytesText(damage.zone_bytes),
                          damage.front ? " in front of" : " behind",
                          " the allocation belongs to no object of the program, and its bytes ",
                          damage.values, " are not those that gpusan wrote"),
             Clause::kBufferBounds)
        .Fix(likely == nullptr || likely->name.empty()
                 ? std::string(
                       "compare the indices that commands write with the size of the allocation")
                 : absl::StrCat("compare the indices that kernel \"", likely->name,
                                "\" writes with the size of the allocation, ",
                                BytesText(damage.bytes)));
    if (damage.created != kUnknownSite) {
      finding.Party("allocation",
                    damage.creator != nullptr
                        ? absl::StrCat(damage.allocation, " created by ", damage.creator->name)
                        : damage.allocation,
                    damage.created);
    }
    if (damage.resource != nullptr) finding.About(*damage.resource);
    for (const GuardSuspect& suspect : damage.suspects) {
      finding.Party(&suspect == likely ? "likely-writer" : "possible-writer",
                    absl::StrCat(suspect.text, " by ", suspect.call->name,
                                 suspect.elsewhere ? ", on other memory" : ""),
                    suspect.site);
    }
    finding.Fact("side", damage.front ? "front" : "behind")
        .Fact("changed_bytes", damage.changed_bytes)
        .Fact("nearest_bytes", damage.nearest)
        .Fact("farthest_bytes", damage.farthest)
        .Fact("zone_bytes", damage.zone_bytes)
        .Fact("resource_bytes", damage.bytes)
        .Fact("values", damage.values)
        .Fact("suspects", damage.suspects.size() + damage.more_suspects);
    if (likely != nullptr && !likely->name.empty()) finding.Fact("kernel", likely->name);
  }

 private:
  // Returns the newest command that may write the allocation, else the newest one that had it, else
  // the newest one.
  static const GuardSuspect* Likely(const GuardDamage& damage) {
    for (const GuardSuspect& suspect : damage.suspects) {
      if (suspect.of_allocation && suspect.writes) return &suspect;
    }
    for (const GuardSuspect& suspect : damage.suspects) {
      if (suspect.of_allocation) return &suspect;
    }
    return damage.suspects.empty() ? nullptr : &damage.suspects.front();
  }
};

}  // namespace
}  // namespace gpusan::rules
