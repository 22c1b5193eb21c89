// Check leak: an object is still held when its context or the process ends.
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct Leak {
  static void OnLeftover(const Leftover& leftover, Call& call) {
    const Object& object = *leftover.object;
    const Vocabulary& words = call.words();
    const bool memory = object.is_memory();
    const Resource* const parent = memory ? static_cast<const Resource&>(object).parent : nullptr;
    const int32_t references = object.references.load(std::memory_order_relaxed);
    const char* const owner = leftover.at_exit ? "process" : words.KindName(OwnerKind(object));
    FindingBuilder finding = call.Add(RuleId::kLeak);
    finding.Severe(memory ? Severity::kError : Severity::kWarning)
        .CallIs(object.creator != nullptr ? object.creator->name : "")
        .At(object.created)
        .What(absl::StrCat(
            leftover.count == 1
                ? ObjectText(object, words)
                : absl::StrCat(CountText(leftover.count, words.KindNameOf(object)),
                               " created here, the first of them ", ObjectText(object, words), ","),
            leftover.bytes != 0 && leftover.count > 1
                ? absl::StrCat(" ", BytesText(leftover.bytes), " in all,")
                : "",
            leftover.count == 1 ? " is" : " are", " still held when the ", owner, " ends"))
        .Why(absl::StrCat(
            words.Retains(object.kind)
                ? absl::StrCat("the program holds ", references, " reference",
                               references == 1 ? "" : "s",
                               leftover.count == 1 ? " that it never released ("
                                                   : " to the first one that it never released (")
            : leftover.count == 1 ? "the program never released it ("
                                  : "the program never released them (",
            words.Cite(Clause::kLeak), ")",
            leftover.held_by.empty() ? "" : absl::StrCat("; also held by: ", leftover.held_by),
            parent == nullptr ? ""
            : words.Retains(object.kind)
                ? absl::StrCat("; it shares the memory of its parent, ", ObjectText(*parent, words),
                               ", and keeps it from being freed")
                : "; its memory belongs to its parent"))
        .Fix(words.Retains(object.kind)
                 ? absl::StrCat("call ", words.ReleaseCallOf(object),
                                " once for the creation and once for every retain")
                 : absl::StrCat("call ", words.ReleaseCallOf(object), " on every path before the ",
                                owner, leftover.at_exit ? " ends" : " is destroyed"))
        .About(object)
        .Fact("leaked_bytes", leftover.bytes)
        .Fact("objects", leftover.count)
        .Fact("references", static_cast<uint64_t>(references));
    if (!leftover.at_exit && object.creator != nullptr) {
      if (const std::string vuid = words.LeftoverUsage(OwnerKind(object)); !vuid.empty())
        finding.Fact("vuid", vuid);
    }
    const SiteId retained = object.retained.load(std::memory_order_relaxed);
    if (retained != kUnknownSite) finding.Party("holder", "last retained", retained);
    if (object.released != kUnknownSite) finding.Party("release", "last released", object.released);
  }

 private:
  static ObjectKind OwnerKind(const Object& object) {
    return object.context != nullptr ? object.context->kind : ObjectKind::kContext;
  }
};

}  // namespace
}  // namespace gpusan::rules
