// Checks that bound descriptor sets fit the pipelines that use them.
#include "hooks/vulkan/shaders/set_checks.h"

#include <bit>
#include <optional>
#include <string>

#include "hooks/vulkan/call/valid_usage.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/spirv/shader_stages.h"
#include "hooks/vulkan/words/formats.h"
#include "tracker/rules/states/sync_state.h"

namespace gpusan::vulkan {

using rules::DescriptorUse;

namespace {

// The GLSL names of variables of the kinds.
const char* KindName(uint16_t kinds) {
  switch (kinds) {
    case kSamplers:
      return "a sampler";
    case kSampledImages:
      return "a sampled image";
    case kCombinedSamplers:
      return "a combined image sampler";
    case kStorageImages:
      return "a storage image";
    case kUniformTexels:
      return "a uniform texel buffer";
    case kStorageTexels:
      return "a storage texel buffer";
    case kUniformBuffers:
      return "a uniform buffer";
    case kStorageBuffers:
      return "a storage buffer";
    case kInputAttachments:
      return "an input attachment";
    case kAccelerationStructures:
      return "an acceleration structure";
    default:
      return "resources of several kinds";
  }
}

// The kinds of resources that a descriptor of the type may be in a shader (Vulkan 1.3 §15.5.2), and
// its name.
struct TypeFacts {
  VkDescriptorType type;
  uint16_t kinds;
  const char* name;
};
constexpr TypeFacts kTypes[] = {
    {VK_DESCRIPTOR_TYPE_SAMPLER, kSamplers, "SAMPLER"},
    {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, kSamplers | kSampledImages | kCombinedSamplers,
     "COMBINED_IMAGE_SAMPLER"},
    {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, kSampledImages, "SAMPLED_IMAGE"},
    {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, kStorageImages, "STORAGE_IMAGE"},
    {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, kUniformTexels, "UNIFORM_TEXEL_BUFFER"},
    {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, kStorageTexels, "STORAGE_TEXEL_BUFFER"},
    {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, kUniformBuffers, "UNIFORM_BUFFER"},
    {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, kUniformBuffers, "UNIFORM_BUFFER_DYNAMIC"},
    {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, kUniformBuffers, "INLINE_UNIFORM_BLOCK"},
    {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kStorageBuffers, "STORAGE_BUFFER"},
    {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, kStorageBuffers, "STORAGE_BUFFER_DYNAMIC"},
    {VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, kInputAttachments, "INPUT_ATTACHMENT"},
};
// nullptr: a type that gpusan does not know, or a mutable one.
const TypeFacts* FactsOf(VkDescriptorType type) {
  for (const TypeFacts& facts : kTypes) {
    if (facts.type == type) return &facts;
  }
  return nullptr;
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
    use.other = RowOf(need.stage).name;
    break;
  }
  rules::OnSyncStateUse(use, call);
}

// `type`: VkImageViewType.
const char* ViewTypeName(uint8_t type) {
  constexpr const char* kTypes[] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "CUBE_ARRAY"};
  return type < std::size(kTypes) ? kTypes[type] : "";
}

struct LayoutFault {
  rules::SyncStateUse::Fault fault;
  std::string text;   // SyncStateUse::value
  const char* usage;  // the end of the valid usage
};

// Compares one binding of a shader with the layout of its pipeline; nullopt: it fits, or it is not
// known whether it does.
std::optional<LayoutFault> FaultOf(const ShaderBinding& used, VkShaderStageFlagBits stage,
                                   const PipelineLayoutState& layout) {
  using Fault = rules::SyncStateUse::Fault;
  const std::string name = absl::StrCat("binding ", used.binding, " of set ", used.set);
  const bool has_set = used.set < layout.sets.size();
  if (has_set && layout.sets[used.set] == nullptr) return std::nullopt;
  const LayoutBinding* binding = has_set ? layout.sets[used.set]->Find(used.binding) : nullptr;
  if (binding == nullptr) {
    return LayoutFault{Fault::kLayoutLacksBinding,
                       absl::StrCat(name, ", which the ", RowOf(stage).name, " uses"), "07988"};
  }
  if ((binding->stages & stage) == 0) {
    return LayoutFault{Fault::kLayoutLacksStage,
                       absl::StrCat(name, ", which the ", RowOf(stage).name, " uses,"), "07988"};
  }
  if (used.length > binding->count && binding->type != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
    return LayoutFault{Fault::kLayoutShortArray,
                       absl::StrCat(name, " has the descriptorCount ", binding->count, ", but the ",
                                    RowOf(stage).name, " declares an array of ", used.length),
                       "07991"};
  }
  const TypeFacts* facts = FactsOf(binding->type);
  if (facts == nullptr || (used.kinds & ~facts->kinds) == 0) return std::nullopt;
  return LayoutFault{
      Fault::kLayoutOtherType,
      absl::StrCat(name, " has the type VK_DESCRIPTOR_TYPE_", facts->name, ", but the ",
                   RowOf(stage).name, " declares ", KindName(used.kinds), " there"),
      "07990"};
}

// The push constants of the stage for which the layout has ranges.
PushWords PushedBy(const PipelineLayoutState& layout, VkShaderStageFlagBits stage) {
  PushWords words = 0;
  for (const VkPushConstantRange& range : layout.ranges) {
    if ((range.stageFlags & stage) == 0) continue;
    for (uint32_t i = range.offset / 4; i < 64 && uint64_t{i} * 4 < range.offset + range.size; ++i)
      words |= PushWords{1} << i;
  }
  return words;
}

}  // namespace

void CheckShaderLayout(VkCall& call, const EntryPoint& entry, VkPipelineLayout handle,
                       const char* pipeline_info) {
  const auto* object = static_cast<const PlainObject*>(
      call.tracker().objects().Find(Api::kVulkan, ObjectKind::kPipelineLayout, HandleOf(handle)));
  const auto* layout = DescriptionOf<PipelineLayoutState>(object);
  if (layout == nullptr || !object->live()) return;
  const auto stage = static_cast<VkShaderStageFlagBits>(entry.stage);
  const auto report = [&](const LayoutFault& found) {
    ReportSync(call, *object, found.fault, found.text,
               absl::StrCat(pipeline_info, "-layout-", found.usage));
  };
  const ShaderBinding* last = nullptr;
  for (const ShaderBinding& used : entry.bindings) {
    // The elements of an array have the same binding.
    const bool again = last != nullptr && last->set == used.set && last->binding == used.binding;
    last = &used;
    if (again) continue;
    if (const std::optional<LayoutFault> found = FaultOf(used, stage, *layout)) [[unlikely]]
      report(*found);
  }
  const PushWords pushed = PushedBy(*layout, stage), missing = entry.pushes.all & ~pushed;
  // Without any range the creation has a finding of its own.
  if (pushed == 0 || missing == 0) [[likely]]
    return;
  report({rules::SyncStateUse::Fault::kLayoutShortPushes,
          absl::StrCat(BytesOf({stage, missing, false}, missing),
                       " of the push constants, which the ", RowOf(stage).name, " reads"),
          "10069"});
}

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

void ReportOfOtherLayout(Call& call, const PlainObject& pipeline, uint32_t index, bool disturbed) {
  rules::SyncStateUse use;
  use.fault = rules::SyncStateUse::Fault::kSetOfOtherLayout;
  use.object = &pipeline;
  use.value = absl::StrCat(index);
  use.other = disturbed ? "made undefined when a higher set number was bound with a pipeline "
                          "layout that is not compatible for it"
                        : "bound with a pipeline layout that is not compatible for it";
  rules::OnSyncStateUse(use, call);
}

void ReportNeverWritten(Call& call, const PlainObject& set, const ShaderBinding& used) {
  DescriptorUse use;
  use.fault = DescriptorUse::Fault::kNeverWritten;
  use.set = &set;
  use.binding = used.binding;
  if (used.element != ShaderBinding::kAll) use.element = used.element;
  use.vuid = CommandVuid(call.info().name, "None-08114");
  rules::OnDescriptorUse(use, call);
}

void CheckUnnormalized(Call& call, const PlainObject* set, const PipelineBinding& used,
                       const Descriptor& descriptor) {
  const auto* sampler = DescriptionOf<SamplerState>(descriptor.sampler.get());
  if (sampler == nullptr || !sampler->unnormalized) return;
  const bool combined = used.kinds == kCombinedSamplers;
  const PlainObject* object = combined ? descriptor.view.get() : nullptr;
  if (combined && (object == nullptr || object->kind != ObjectKind::kImageView)) return;
  const auto* view = DescriptionOf<ImageViewState>(object);
  DescriptorUse use;
  use.fault = DescriptorUse::Fault::kUnnormalized;
  use.set = set;
  if (combined) use.resource = descriptor.resource.get();
  use.binding = used.binding;
  const auto report = [&](std::string how, const char* vuid) {
    use.since = std::move(how);
    use.vuid = CommandVuid(call.info().name, vuid);
    rules::OnDescriptorUse(use, call);
  };
  if (view != nullptr && view->type > VK_IMAGE_VIEW_TYPE_2D) {
    report(absl::StrCat("through a view of type VK_IMAGE_VIEW_TYPE_", ViewTypeName(view->type)),
           "None-08609");
  } else if ((used.sampling & kSamplesWithoutLod) != 0) {
    report("with an implicit level of detail, a depth comparison or a projection", "None-08610");
  } else if ((used.sampling & kSamplesMoved) != 0) {
    report("with a bias or an offset", "None-08611");
  }
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
  use.since =
      dim ? absl::StrCat("VK_IMAGE_VIEW_TYPE_", ViewTypeName(view.type)) : FormatName(view.format);
  use.vuid = CommandVuid(call.info().name, dim ? "viewType-07752" : "format-07753");
  rules::OnDescriptorUse(use, call);
}

}  // namespace gpusan::vulkan
