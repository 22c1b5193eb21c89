// Check over-release: an object is released more often than it was created and retained.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct OverRelease {
  static void OnHandleUse(const HandleUse& use, Call& call) {
    const Object& object = *use.object;
    if (!use.release || object.live() || (use.expected >> static_cast<int>(object.kind) & 1) == 0)
      return;
    const Vocabulary& words = call.words();
    if (!words.CountsReferences()) return;  // double-free
    call.MayCrash();
    call.Add(RuleId::kOverRelease)
        .What(absl::StrCat(ObjectText(object, words),
                           " is released after its last reference was already released"))
        .Why(absl::StrCat(
            "each release must match a creation or a retain; an extra release is undefined (",
            words.Cite(Clause::kReferenceCount), ")"))
        .Fix("remove one of the releases, or retain the object for its second owner")
        .Party("release", "last reference released", object.released)
        .CreatedBy(object)
        .About(object);
  }
};

}  // namespace
}  // namespace gpusan::rules
