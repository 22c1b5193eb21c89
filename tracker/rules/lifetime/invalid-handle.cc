// Check invalid-handle: a handle of the wrong kind, or of another context.
#include "tracker/base/text_util.h"
#include "tracker/rules/events/null_argument.h"
#include "tracker/rules/rules.h"
#include "tracker/rules/shared/handle_usage.h"

namespace gpusan::rules {
namespace {

struct InvalidHandle {
  static void OnNullArgument(const NullArgument& argument, Call& call) {
    if (!argument.handle) return;  // invalid-pointer
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kInvalidHandle);
    finding.What(absl::StrCat(argument.name, " is a null handle"))
        .Why("the call requires an object", Clause::kWrongKind)
        .Fix("create the object before the call, and check whether its creation failed")
        .Fact("argument", std::string(argument.name));
    AddHandleUsage(finding, argument.name, false, call);
  }

  static void OnHandleUse(const HandleUse& use, Call& call) {
    const Object& object = *use.object;
    const Vocabulary& words = call.words();
    if (use.owner != nullptr) {
      // Drivers look shared memory up in the context, and need not check whether it is there.
      if (object.kind == ObjectKind::kSvm) call.MayCrash();
      // The device has no access to memory of another device.
      const bool memory = object.kind == ObjectKind::kDeviceMemory;
      const bool pooled = memory && static_cast<const Resource&>(object).has(kStreamOrdered);
      FindingBuilder finding = call.Add(RuleId::kInvalidHandle);
      finding
          .What(absl::StrCat(
              use.argument, " is ", ObjectText(object, words),
              pooled ? absl::StrCat(" from a pool of another device than that of ",
                                    ObjectText(*use.owner, words))
                     : absl::StrCat(" of another ", words.KindName(ObjectKind::kContext), " than ",
                                    ObjectText(*use.owner, words))))
          .Why(object.kind == ObjectKind::kSvm
                   ? "shared memory may be used only with the context for which it was allocated"
               : memory ? "a device may use memory of another device only after it was given "
                          "access to that memory"
                        : absl::StrCat("all objects of a call must belong to one ",
                                       words.KindName(ObjectKind::kContext)),
               object.kind == ObjectKind::kSvm ? Clause::kSharedPointer : Clause::kContext)
          .Fix(pooled ? "give the device access to the pool before the launch, or allocate from a "
                        "pool of the device"
               : memory
                   ? "give the device access before the launch, or copy the data to it"
                   : absl::StrCat("create the object in the ", words.KindName(ObjectKind::kContext),
                                  " of the object that it is used with"))
          .CreatedBy(object)
          .CreatedBy(*use.owner)
          .About(object)
          .Fact("argument", std::string(use.argument))
          .Fact("context", HandleText(object.context->handle))
          .Fact("expected_context", HandleText(ContextOf(*use.owner).handle));
      AddHandleUsage(finding, use.argument, true, call);
      return;
    }
    if ((use.expected >> static_cast<int>(object.kind) & 1) != 0) return;
    const std::string expected = Expected(use.expected, call);
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kInvalidHandle);
    finding
        .What(absl::StrCat(use.argument, " is ", ObjectText(object, words), "; the call needs ",
                           WithArticle(expected)))
        .Why("the handle must name an object of the kind that the call requires",
             Clause::kWrongKind)
        .Fix(absl::StrCat("pass ", WithArticle(expected), ", or use the call for ",
                          WithArticle(words.KindName(object.kind))))
        .WithCreation(object)
        .Fact("argument", std::string(use.argument))
        .Fact("kind", words.KindName(object.kind))
        .Fact("expected_kind", expected);
    AddHandleUsage(finding, use.argument, false, call);
  }

  static void OnWildHandle(const WildHandle& use, Call& call) {
    const std::string expected = WithArticle(Expected(use.expected, call));
    const std::string value = use.handle == 0 ? "NULL" : HandleText(use.handle);
    call.MayCrash();
    FindingBuilder finding = call.Add(RuleId::kInvalidHandle);
    finding
        .What(absl::StrCat(use.argument, " is ", value, "; the call needs ", expected,
                           use.handle == 0 ? "" : ", and there is no object at this address"))
        .Why("the handle must name an object of the kind that the call requires",
             Clause::kWrongKind)
        .Fix(absl::StrCat("pass ", expected,
                          " that a successful creation returned; initialize "
                          "variables of handles, and check the return codes of creations"))
        .Fact("argument", std::string(use.argument))
        .Fact("handle", value)
        .Fact("expected_kind", Expected(use.expected, call));
    AddHandleUsage(finding, use.argument, false, call);
  }

 private:
  // The context of an object, or the context or device itself.
  static const Object& ContextOf(const Object& object) {
    return object.context != nullptr && object.kind != ObjectKind::kContext ? *object.context
                                                                            : object;
  }

  // "buffer or image"
  static std::string Expected(KindMask kinds, const Call& call) {
    std::string expected;
    for (int kind = 0; kind < kObjectKinds; ++kind) {
      if ((kinds >> kind & 1) == 0) continue;
      absl::StrAppend(&expected, expected.empty() ? "" : " or ",
                      call.words().KindName(static_cast<ObjectKind>(kind)));
    }
    return expected;
  }
};

}  // namespace
}  // namespace gpusan::rules
