// Check usage-missing: an object is used in a way that its creation flags do not allow.
#include "tracker/base/text_util.h"
#include "tracker/rules/events/descriptor_use.h"
#include "tracker/rules/rules.h"

namespace gpusan::rules {
namespace {

struct UsageMissing {
  static void OnDescriptorUse(const DescriptorUse& use, Call& call) {
    if (use.fault != DescriptorUse::Fault::kUsage) return;
    const Vocabulary& words = call.words();
    FindingBuilder finding = call.Add(RuleId::kUsageMissing);
    finding
        .What(absl::StrCat(
            use.argument != nullptr ? absl::StrCat(use.argument, " is ")
                                    : absl::StrCat(call.info().name, " writes a descriptor of "),
            ObjectText(*use.resource, words),
            use.of_view ? ", whose view was created without " : ", which was created without ",
            use.text))
        .Why(absl::StrCat("the creation flags of an object decide how it may be used (",
                          words.Cite(Clause::kUsage), use.vuid.empty() ? "" : ", ", use.vuid, ")"))
        .Fix(use.of_view ? absl::StrCat("add ", use.text, " to VkImageViewUsageCreateInfo")
                         : absl::StrCat("create it with ", use.text))
        .WithCreation(*use.resource)
        .Fact("missing_flag", std::string(use.text));
    if (!use.vuid.empty()) finding.Fact("vuid", use.vuid);
  }

  static void OnBinding(const Binding& binding, Call& call) {
    if (binding.missing_usage == nullptr) return;
    const Vocabulary& words = call.words();
    const Resource& resource = *binding.resource;
    call.Add(RuleId::kUsageMissing)
        .What(absl::StrCat(
            binding.argument != nullptr
                ? absl::StrCat(binding.argument, " is ")
                : absl::StrCat(WithArticle(ObjectKindName(binding.kind)), " is created from "),
            ObjectText(resource, words), ", which was created without ", binding.missing_usage))
        .Why("the creation flags of an object decide how it may be used", Clause::kUsage)
        .Fix(absl::StrCat("create it with ", binding.missing_usage))
        .WithCreation(resource)
        .Fact("missing_flag", std::string(binding.missing_usage));
  }
};

}  // namespace
}  // namespace gpusan::rules
