// Check implicit-sync: a call waits for the work of queues although waiting is not its purpose.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct ImplicitSync {
  static void OnHiddenWait(const HiddenWait& wait, Call& call) {
    const Vocabulary& words = call.words();
    call.Add(RuleId::kImplicitSync)
        .What(absl::StrCat(call.info().name, " waits for ", ObjectText(*wait.queue, words),
                           wait.others == 0 ? "" : absl::StrCat(" and ", wait.others, " more"),
                           ", which has work that is not known to be complete"))
        .Why(wait.why)
        .Fix(wait.fix)
        .CreatedBy(*wait.queue)
        .About(*wait.queue)
        .Fact("busy_queues", wait.others + 1);
  }
};

}  // namespace
}  // namespace gpusan::rules
