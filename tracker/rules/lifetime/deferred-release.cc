// Check deferred-release: released memory stays allocated because pending commands still use it.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct DeferredRelease {
  static void OnDeferral(const Deferral& deferral, Call& call) {
    const Resource& resource = *deferral.resource;
    const Access& pending = *deferral.pending;
    const Vocabulary& words = call.words();
    call.Add(RuleId::kDeferredRelease)
        .What(absl::StrCat(
            CountText(deferral.site_count, words.KindNameOf(resource)), " released here, ",
            BytesText(deferral.site_bytes),
            " in all, are still in use by pending commands; their memory is not freed yet"))
        .Why(absl::StrCat("an object is deleted only after its last reference is released and all "
                          "commands that use it have "
                          "finished (",
                          words.Cite(Clause::kDeferredDelete), "); ", pending.call->name,
                          ", which uses this object, is not known to be complete"))
        .Fix(absl::StrCat(
            "wait for the command (", words.WaitCalls(),
            ") before the release, or reuse one object instead of creating a new one each time"))
        .Party("pending-command",
               absl::StrCat(pending.call->name, " uses ", ObjectText(resource, words)),
               pending.site)
        .WithCreation(resource)
        .Fact("pending_bytes", deferral.site_bytes)
        .Fact("pending_objects", deferral.site_count)
        .Fact("peak_pending_bytes", deferral.peak_bytes);
  }
};

}  // namespace
}  // namespace gpusan::rules
