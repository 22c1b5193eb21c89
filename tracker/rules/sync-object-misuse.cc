// Check sync-object-misuse: a synchronisation object is used in a way that its API forbids.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct SyncObjectMisuse {
  static void OnSyncMisuse(const SyncMisuse& misuse, Call& call) {
    FindingBuilder finding = call.Add(RuleId::kSyncObjectMisuse);
    finding.What(misuse.what).Why(misuse.why).Fix(misuse.fix);
    if (!misuse.party.empty()) finding.Party(misuse.role, misuse.party, misuse.site);
    if (misuse.object != nullptr) finding.CreatedBy(*misuse.object).About(*misuse.object);
  }
};

}  // namespace
}  // namespace gpusan::rules
