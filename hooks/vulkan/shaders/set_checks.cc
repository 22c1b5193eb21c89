// Checks that bound descriptor sets fit the pipelines that use them.
#include "hooks/vulkan/shaders/set_checks.h"

#include <string_view>

#include "tracker/rules/sync_state.h"

namespace gpusan::vulkan {

using rules::DescriptorUse;

std::string DrawVuid(const Call& call, const char* number) {
  std::string_view name = call.info().name;
  if (name.ends_with("KHR")) name.remove_suffix(3);
  return absl::StrCat("VUID-", std::string(name), "-None-", number);
}

void ReportMissingSets(Call& call, const PlainObject& pipeline, uint32_t missing,
                       const Bindings& bindings) {
  if ((missing & kPushConstants) != 0) {
    rules::SyncStateUse use;
    use.fault = rules::SyncStateUse::Fault::kPushNeverWritten;
    use.object = &pipeline;
    use.value = bindings.SinceUndone();
    use.earlier = bindings.undone_by;
    use.site = bindings.undone_at;
    rules::OnSyncStateUse(use, call);
  }
  for (uint32_t i = 0; i < 31; ++i) {
    if ((missing >> i & 1) == 0) continue;
    DescriptorUse use;
    use.fault = DescriptorUse::Fault::kUnbound;
    use.pipeline = &pipeline;
    use.number = i;
    use.since = bindings.SinceUndone();
    use.earlier = bindings.undone_by;
    use.earlier_site = bindings.undone_at;
    use.vuid = DrawVuid(call, "08600");
    rules::OnDescriptorUse(use, call);
  }
}

void ReportIncompatible(Call& call, const PlainObject& pipeline, const PlainObject& set,
                        uint32_t index) {
  DescriptorUse use;
  use.fault = DescriptorUse::Fault::kIncompatible;
  use.pipeline = &pipeline;
  use.set = &set;
  use.number = index;
  use.vuid = DrawVuid(call, "08600");
  rules::OnDescriptorUse(use, call);
}

void ReportOfOtherLayout(Call& call, const PlainObject& pipeline, uint32_t index) {
  rules::SyncStateUse use;
  use.fault = rules::SyncStateUse::Fault::kSetOfOtherLayout;
  use.object = &pipeline;
  use.value = absl::StrCat(index);
  rules::OnSyncStateUse(use, call);
}

void ReportNeverWritten(Call& call, const PlainObject& set, uint32_t binding) {
  DescriptorUse use;
  use.fault = DescriptorUse::Fault::kNeverWritten;
  use.set = &set;
  use.binding = binding;
  use.vuid = DrawVuid(call, "08114");
  rules::OnDescriptorUse(use, call);
}

}  // namespace gpusan::vulkan
