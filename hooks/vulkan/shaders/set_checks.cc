// Checks that bound descriptor sets fit the pipelines that use them.
#include "hooks/vulkan/shaders/set_checks.h"

#include <bit>

#include "hooks/vulkan/call/valid_usage.h"
#include "hooks/vulkan/objects/formats.h"
#include "tracker/rules/sync_state.h"

namespace gpusan::vulkan {

using rules::DescriptorUse;

namespace {

const char* StageName(VkShaderStageFlagBits stage) {
  switch (stage) {
    case VK_SHADER_STAGE_VERTEX_BIT:
      return "vertex shader";
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
      return "tessellation control shader";
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
      return "tessellation evaluation shader";
    case VK_SHADER_STAGE_GEOMETRY_BIT:
      return "geometry shader";
    case VK_SHADER_STAGE_FRAGMENT_BIT:
      return "fragment shader";
    case VK_SHADER_STAGE_COMPUTE_BIT:
      return "compute shader";
    case VK_SHADER_STAGE_TASK_BIT_EXT:
      return "task shader";
    case VK_SHADER_STAGE_MESH_BIT_EXT:
      return "mesh shader";
    default:
      return "shader";
  }
}

// The first run of words.
std::string BytesOf(const PushNeed& need, PushWords missing) {
  const int first = std::countr_zero(missing);
  const int words =
      need.some ? 64 - std::countl_zero(missing) - first : std::countr_one(missing >> first);
  return absl::StrCat(need.some ? "some of bytes " : "bytes ", first * 4, " to ",
                      (first + words) * 4 - 1);
}

// Nothing was written, or not all that the shaders read.
void ReportMissingPushes(Call& call, const PlainObject& pipeline, const Bindings& bindings) {
  rules::SyncStateUse use;
  use.fault = rules::SyncStateUse::Fault::kPushNeverWritten;
  use.object = &pipeline;
  use.value = bindings.SinceUndone();
  use.earlier = bindings.undone_by;
  use.site = bindings.undone_at;
  for (const PushNeed& need : PipelineOf(pipeline).push_needs) {
    const PushWords missing = bindings.pushed_words.Missing(need);
    if (bindings.supplied == 0 || missing == 0) continue;
    use.fault = rules::SyncStateUse::Fault::kPushPartly;
    use.value = BytesOf(need, missing);
    use.other = StageName(need.stage);
    break;
  }
  rules::OnSyncStateUse(use, call);
}

}  // namespace

void ReportMissingSets(Call& call, const PlainObject& pipeline, uint32_t missing,
                       const Bindings& bindings) {
  if ((missing & kPushConstants) != 0) ReportMissingPushes(call, pipeline, bindings);
  for (uint32_t i = 0; i < 31; ++i) {
    if ((missing >> i & 1) == 0) continue;
    DescriptorUse use;
    use.fault = DescriptorUse::Fault::kUnbound;
    use.pipeline = &pipeline;
    use.number = i;
    use.since = bindings.SinceUndone();
    use.earlier = bindings.undone_by;
    use.earlier_site = bindings.undone_at;
    use.vuid = CommandVuid(call.info().name, "None-08600");
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
  use.vuid = CommandVuid(call.info().name, "None-08600");
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
  use.vuid = CommandVuid(call.info().name, "None-08114");
  rules::OnDescriptorUse(use, call);
}

void ReportOfOtherShape(Call& call, const PlainObject* set, const PipelineBinding& used,
                        const Descriptor& descriptor) {
  const auto& view = static_cast<const ImageViewState&>(*descriptor.view.object->part);
  const bool dim = IsOfOtherDim(used, view);
  if (!dim && ChannelsOf(view.format) == 0) return;  // a format that is not known
  DescriptorUse use;
  use.fault = dim ? DescriptorUse::Fault::kOtherDim : DescriptorUse::Fault::kOtherNumbers;
  use.set = set;
  use.resource = descriptor.resource.get();
  use.binding = used.binding;
  constexpr const char* kTypes[] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "CUBE_ARRAY"};
  use.since =
      dim ? absl::StrCat("VK_IMAGE_VIEW_TYPE_", kTypes[view.type]) : FormatName(view.format);
  use.vuid = CommandVuid(call.info().name, dim ? "viewType-07752" : "format-07753");
  rules::OnDescriptorUse(use, call);
}

}  // namespace gpusan::vulkan
