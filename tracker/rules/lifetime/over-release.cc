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
    const bool retains = words.Retains(object.kind);
    call.Add(RuleId::kOverRelease)
        .What(absl::StrCat(ObjectText(object, words),
                           retains ? " is released after its last reference was already released"
                                   : " is destroyed a second time"))
        .Why(retains
                 ? "each release must match a creation or a retain; an extra release is undefined"
                 : "an object may be destroyed only once; its handle may already name another "
                   "object",
             Clause::kReferenceCount)
        .Fix(retains ? "remove one of the releases, or retain the object for its second owner"
                     : "destroy the object once, and clear the handle afterwards")
        .Party("release", retains ? "last reference released" : "destroyed before", object.released)
        .WithCreation(object);
  }

  static void OnReferenceExcess(const ReferenceExcess& excess, Call& call) {
    const Object& object = *excess.object;
    const Vocabulary& words = call.words();
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kOverRelease);
    finding
        .What(absl::StrCat(
            call.info().name, " takes ", CountText(excess.count, "reference"), " to ",
            ObjectText(object, words), " from ",
            excess.holder != nullptr ? ObjectText(*excess.holder, words) : "the program",
            ", which holds ", excess.held == 0 ? "none" : absl::StrCat(excess.held)))
        .Why(
            "a reference may be released only by its owner; releasing a reference of another owner "
            "is undefined",
            Clause::kReferenceCount)
        .Fix(
            "release each reference once; a reference that was moved to a graph belongs to the "
            "graph")
        .WithCreation(object)
        .Fact("references", excess.held);
    if (object.released != kUnknownSite)
      finding.Party("release", "references released or moved before", object.released);
  }
};

}  // namespace
}  // namespace gpusan::rules
