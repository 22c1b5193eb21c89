// Check stream-order-alloc: a use of stream-ordered memory is not ordered after its allocation or
// before its free.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct StreamOrderAlloc {
  static void OnConflict(const Conflict& conflict, Call& call) {
    const Access& earlier = *conflict.earlier;
    const Access& later = *conflict.later;
    if (conflict.resource == nullptr || (!IsLifetime(earlier.role) && !IsLifetime(later.role))) {
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
                                       ObjectText(resource, words), ", but is not ordered after ",
                                       earlier.call->name, ", which allocates it")
                        : absl::StrCat(later.call->name, " frees ", ObjectText(resource, words),
                                       ", but is not ordered after ", earlier.call->name,
                                       ", which uses it"))
        .Why(
            "stream-ordered memory exists from its allocation to its free in stream order; uses in "
            "other streams must be ordered with both",
            Clause::kOrdering)
        .Fix(absl::StrCat("record an event after ", earlier.call->name,
                          " and let the other stream wait for it, or wait on the host between them "
                          "(",
                          words.WaitCalls(), ")"));
    if (!allocates) {
      finding.Party("pending-command", absl::StrCat(earlier.call->name, " uses it"), earlier.site);
    }
    finding.WithCreation(resource);
  }

  static void OnPointerUse(const PointerUse& use, Call& call) {
    if (use.free || use.resource == nullptr || use.resource->live() ||
        !use.resource->has(kFreedInOrder))
      return;
    const Vocabulary& words = call.words();
    call.Add(RuleId::kStreamOrderAlloc)
        .What(absl::StrCat(use.argument, " points into ", ObjectText(*use.resource, words),
                           ", whose free was enqueued earlier"))
        .Why(
            "work that is enqueued after the free must not use the memory, in the same stream or "
            "in others",
            Clause::kFreeShared)
        .Fix("enqueue the free after the last use")
        .Party("release", "freed in stream order", use.resource->released)
        .WithCreation(*use.resource)
        .Fact("argument", std::string(use.argument));
  }
};

}  // namespace
}  // namespace gpusan::rules
