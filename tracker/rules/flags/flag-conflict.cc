// Check flag-conflict: creation flags or values exclude each other, exceed a limit of the device,
// or require or forbid a host pointer.
#include "tracker/base/text_util.h"
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct FlagConflict {
  static void OnCreate(const Creation& creation, Call& call) {
    if (creation.conflict == nullptr) [[likely]]
      return;
    const std::string flags =
        creation.flags_text != nullptr ? creation.flags_text(creation.native_flags) : "";
    const Clause clause =
        creation.conflict_is_pointer ? Clause::kHostPointerFlag : Clause::kFlagConflict;
    const bool inherits = creation.parent != nullptr;
    FindingBuilder finding = call.Add(RuleId::kFlagConflict);
    finding
        .What(absl::StrCat(
            WithArticle(ObjectKindName(creation.kind)), " is created with ",
            flags.empty() ? "no flags" : flags,
            inherits ? absl::StrCat(" from ", ObjectText(*creation.parent, call.words())) : "",
            ": ", creation.conflict))
        .Why("the specification forbids this combination", clause)
        .Fix(inherits ? "pass no flag of this group: it is inherited from the parent"
             : creation.conflict_is_pointer ? "pass a host pointer if and only if a flag says that "
                                              "host memory is used or copied"
                                            : "keep only one of the flags that exclude each other")
        .Fact("flags", flags);
    if (!inherits) return;
    finding.WithCreation(*creation.parent);
    if (creation.flags_text != nullptr)
      finding.Fact("parent_flags", creation.flags_text(creation.parent->native_flags));
  }
};

}  // namespace
}  // namespace gpusan::rules
