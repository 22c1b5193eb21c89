// Check stream-order-alloc: a use of stream-ordered memory is not ordered after its allocation or
// before its free.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct StreamOrderAlloc {
  static void OnConflict(const Conflict& conflict, Call& call) {
    const Access& earlier = *conflict.earlier;
    const Access& later = *conflict.later;
    if (conflict.resource == nullptr ||
        (earlier.role == AccessRole::kAccess && later.role == AccessRole::kAccess)) {
      return;
    }
    // The kernel may not access this memory at all.
    if (earlier.sureness == Sureness::kHeld || later.sureness == Sureness::kHeld) return;
    const Resource& resource = *conflict.resource;
    const Vocabulary& words = call.words();
    const bool allocates = earlier.role == AccessRole::kAllocation;
    FindingBuilder finding = call.Add(RuleId::kStreamOrderAlloc);
    finding.CallIs(later.call->name)
        .At(later.site)
        .What(allocates ? absl::StrCat(later.call->name,
                                       later.role == AccessRole::kFree ? " frees " : " uses ",
                                       ObjectText(resource, words), ", but is not ordered behind ",
                                       earlier.call->name, " that allocates it")
                        : absl::StrCat(later.call->name, " frees ", ObjectText(resource, words),
                                       ", but is not ordered behind ", earlier.call->name,
                                       " that uses it"))
        .Why(absl::StrCat(
            "stream-ordered memory exists from the allocation to the free in the order of "
            "their streams; other streams must be ordered with both (",
            words.Cite(Clause::kOrdering), ")"))
        .Fix(absl::StrCat("record an event behind ", earlier.call->name,
                          " and let the other stream wait for it, or wait on the host between them "
                          "(",
                          words.WaitCalls(), ")"));
    if (!allocates) {
      finding.Party("pending-command", absl::StrCat(earlier.call->name, " uses it"), earlier.site);
    }
    finding.CreatedBy(resource).About(resource);
  }

  static void OnPointerUse(const PointerUse& use, Call& call) {
    if (use.free || use.resource == nullptr || use.resource->live() ||
        !use.resource->has(kFreedInOrder))
      return;
    const Vocabulary& words = call.words();
    call.Add(RuleId::kStreamOrderAlloc)
        .What(absl::StrCat(use.argument, " points into ", ObjectText(*use.resource, words),
                           ", whose free has been enqueued before"))
        .Why(absl::StrCat("work that is enqueued behind the free of the memory it uses has no "
                          "memory, in the same stream and in others (",
                          words.Cite(Clause::kFreeShared), ")"))
        .Fix("enqueue the free behind the last use")
        .Party("release", "freed in stream order", use.resource->released)
        .CreatedBy(*use.resource)
        .About(*use.resource)
        .Fact("argument", std::string(use.argument));
  }
};

}  // namespace
}  // namespace gpusan::rules
