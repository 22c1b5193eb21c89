// Check invalid-handle: a handle of the wrong kind, or of another context.
#include "tracker/rules.h"

namespace gpusan::rules {
namespace {

struct InvalidHandle {
  static void OnHandleUse(const HandleUse& use, Call& call) {
    const Object& object = *use.object;
    const Vocabulary& words = call.words();
    if (use.owner != nullptr) {
      call.Add(RuleId::kInvalidHandle)
          .What(absl::StrCat(use.argument, " is ", ObjectText(object, words),
                             " of another ", words.KindName(ObjectKind::kContext), " than ", ObjectText(*use.owner, words)))
          .Why(object.kind == ObjectKind::kSvm
                   ? absl::StrCat("shared memory may be used only with the context that it was "
                                  "allocated for; all else is undefined (",
                                  words.Cite(Clause::kSharedPointer), ")")
                   : absl::StrCat("all objects of a call must belong to one ",
                                  words.KindName(ObjectKind::kContext), " (",
                                  words.Cite(Clause::kContext), ")"))
          .Fix(absl::StrCat("create the object in the ", words.KindName(ObjectKind::kContext),
                            " of what it is used with, or share one"))
          .CreatedBy(object)
          .CreatedBy(*use.owner)
          .About(object)
          .Fact("argument", std::string(use.argument))
          .Fact("context", HandleText(object.context->handle))
          .Fact(
              "expected_context",
              HandleText((use.owner->context != nullptr ? use.owner->context : use.owner)->handle));
      return;
    }
    if ((use.expected >> static_cast<int>(object.kind) & 1) != 0) return;
    std::string expected;
    for (int kind = 0; kind < kObjectKinds; ++kind) {
      if ((use.expected >> kind & 1) == 0) continue;
      absl::StrAppend(&expected, expected.empty() ? "" : " or ",
                      ObjectKindName(static_cast<ObjectKind>(kind)));
    }
    call.MayCrash();
    call.Add(RuleId::kInvalidHandle)
        .What(absl::StrCat(use.argument, " is ", ObjectText(object, words), "; the call needs a ",
                           expected))
        .Why(absl::StrCat("the handle must name an object of the kind the call works on (",
                          words.Cite(Clause::kWrongKind), ")"))
        .Fix(absl::StrCat("pass a ", expected, ", or use the call made for a ",
                          ObjectKindName(object.kind)))
        .CreatedBy(object)
        .About(object)
        .Fact("argument", std::string(use.argument))
        .Fact("kind", std::string(ObjectKindName(object.kind)))
        .Fact("expected_kind", expected);
  }
};

}  // namespace
}  // namespace gpusan::rules
