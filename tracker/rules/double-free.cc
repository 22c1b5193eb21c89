// Check double-free: memory is freed twice.
#include "tracker/rules.h"

namespace gpusan::rules {
namespace {

struct DoubleFree {
  static void OnPointerUse(const PointerUse& use, Call& call) {
    if (!use.free || use.resource == nullptr || use.resource->live()) return;
    const Vocabulary& words = call.words();
    call.MayCrash();
    call.Add(RuleId::kDoubleFree)
        .What(absl::StrCat(ObjectText(*use.resource, words), " is freed again"))
        .Why(absl::StrCat("memory may be freed once (", words.Cite(Clause::kFreeShared), ")"))
        .Fix("free it in one place, and set the pointer to NULL afterwards")
        .Party("release", "freed before", use.resource->released)
        .CreatedBy(*use.resource)
        .About(*use.resource);
  }
};

}  // namespace
}  // namespace gpusan::rules
