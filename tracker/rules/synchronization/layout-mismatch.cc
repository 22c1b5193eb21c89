// Check layout-mismatch: an image is not in the layout that a command or barrier names.
#include "tracker/rules/rules.h"
#include "tracker/rules/shared/repeats.h"

namespace gpusan::rules {
namespace {

struct LayoutMismatch {
  static void OnLayoutUse(const LayoutUse& use, Call& call) {
    const Vocabulary& words = call.words();
    const Resource& resource = *use.resource;
    if (CountedAsRepeat(KeyOf(use, call), Severity::kError, call)) return;
    const std::string expected = words.LayoutName(use.mismatch.expected);
    FindingBuilder finding = call.Add(RuleId::kLayoutMismatch);
    if (use.wrong_kind) {
      finding
          .What(absl::StrCat(call.info().name, " is given layout ", expected, " for ",
                             ObjectText(resource, words),
                             ", but this command may not use an image in that layout"))
          .Why("a command may use an image only in the layouts that are listed for it",
               Clause::kLayout)
          .Fix(use.mismatch.actual.layout == kNoLayout
                   ? "change the layout with a barrier first, and name the new layout here"
                   : absl::StrCat("change the layout to ",
                                  words.LayoutName(use.mismatch.actual.layout),
                                  " with a barrier first, and pass that layout here"));
    } else {
      const std::string actual = words.LayoutName(use.mismatch.actual.layout);
      finding
          .What(absl::StrCat("mip level ", use.mismatch.mip, ", layer ", use.mismatch.layer, " of ",
                             ObjectText(resource, words), " is in ", actual, ", but ", expected,
                             " is named"))
          .Why(
              "the layout that a command or a barrier names must be the layout of the image when "
              "the command runs",
              Clause::kLayout)
          .Fix(use.changed
                   ? absl::StrCat("name ", actual,
                                  " as the layout before (oldLayout of a barrier, initialLayout of "
                                  "a render pass), or change it to ",
                                  expected, " first")
                   : absl::StrCat("change it from ", actual, " to ", expected,
                                  " with a barrier first",
                                  use.usable ? ", or name its current layout" : ""))
          .Fact("actual_layout", actual)
          .Fact("mip", uint64_t{use.mismatch.mip})
          .Fact("layer", uint64_t{use.mismatch.layer});
      // No call: the image has this layout since its creation, or the transition was not observed.
      if (const LayoutMap::State& actual_state = use.mismatch.actual;
          actual_state.call != nullptr) {
        finding.Party("layout", absl::StrCat(actual, " since ", actual_state.call->name),
                      actual_state.site);
      }
    }
    finding.WithCreation(resource).Fact("expected_layout", expected);
    if (*use.vuid != '\0') finding.Fact("vuid", std::string(use.vuid));
  }

 private:
  // With the parties of the finding, in its order.
  static FindingKey KeyOf(const LayoutUse& use, Call& call) {
    FindingKey key(RuleId::kLayoutMismatch, call.info().name, call.site());
    if (!use.wrong_kind && use.mismatch.actual.call != nullptr)
      key.AddParty("layout", use.mismatch.actual.site);
    if (use.resource->created != kUnknownSite) key.AddParty("allocation", use.resource->created);
    return key;
  }
};

}  // namespace
}  // namespace gpusan::rules
