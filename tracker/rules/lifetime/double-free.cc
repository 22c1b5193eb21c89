// Check double-free: memory is freed twice.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct DoubleFree {
  // In APIs without reference counts a second release is a second free.
  static void OnHandleUse(const HandleUse& use, Call& call) {
    const Object& object = *use.object;
    const Vocabulary& words = call.words();
    if (!use.release || object.live() || words.CountsReferences()) return;
    call.MayCrash();
    call.Add(RuleId::kDoubleFree)
        .What(absl::StrCat(ObjectText(object, words), " is destroyed a second time"))
        .Why("an object may be destroyed only once; its handle may already name another object",
             Clause::kReferenceCount)
        .Fix("destroy the object once, and clear the handle afterwards")
        .Party("release", "destroyed before", object.released)
        .WithCreation(object);
  }

  static void OnPointerUse(const PointerUse& use, Call& call) {
    if (!use.free || use.resource == nullptr || use.resource->live()) return;
    const Vocabulary& words = call.words();
    call.MayCrash();
    call.Add(RuleId::kDoubleFree)
        .What(absl::StrCat(ObjectText(*use.resource, words), " is freed a second time"))
        .Why("memory may be freed only once", Clause::kFreeShared)
        .Fix("free the memory once, and set the pointer to NULL afterwards")
        .Party("release", "freed before", use.resource->released)
        .WithCreation(*use.resource);
  }
};

}  // namespace
}  // namespace gpusan::rules
