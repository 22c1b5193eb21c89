// Checks of descriptors against the resources that they name, the layout of their set, and the
// limits of the device.
#include "hooks/vulkan/memory/descriptor_checks.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/words/formats.h"
#include "tracker/rules/events/descriptor_use.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

// The usage flag that a resource of a descriptor of the type needs; 0: none.
struct NeededUsage {
  uint32_t flag = 0;
  const char *name = "", *vuid = "";
};
NeededUsage UsageOf(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
      return {VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, "VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT",
              "VUID-VkWriteDescriptorSet-descriptorType-00330"};
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
      return {VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "VK_BUFFER_USAGE_STORAGE_BUFFER_BIT",
              "VUID-VkWriteDescriptorSet-descriptorType-00331"};
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
      return {VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, "VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT",
              "VUID-VkWriteDescriptorSet-descriptorType-08765"};
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      return {VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT, "VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT",
              "VUID-VkWriteDescriptorSet-descriptorType-08766"};
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
      return {VK_IMAGE_USAGE_SAMPLED_BIT, "VK_IMAGE_USAGE_SAMPLED_BIT",
              "VUID-VkWriteDescriptorSet-descriptorType-00337"};
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      return {VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, "VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT",
              "VUID-VkWriteDescriptorSet-descriptorType-00338"};
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
      return {VK_IMAGE_USAGE_STORAGE_BIT, "VK_IMAGE_USAGE_STORAGE_BIT",
              "VUID-VkWriteDescriptorSet-descriptorType-00339"};
    default:
      return {};
  }
}

}  // namespace

const Device::BufferLimits& LimitsOf(const Device& device, VkDescriptorType type) {
  return IsUniform(type) ? device.uniform : device.storage;
}

void CheckUsage(VkCall& call, VkDescriptorType type, Resource* resource, uint32_t usage) {
  if (resource == nullptr || !resource->live()) return;
  const NeededUsage needed = UsageOf(type);
  if (needed.flag == 0 || (usage & needed.flag) != 0) [[likely]]
    return;
  rules::DescriptorUse use;
  use.of_view = (ScopedOf(*resource).usage & needed.flag) != 0;
  use.resource = resource;
  use.text = needed.name;
  use.vuid = needed.vuid;
  rules::OnDescriptorUse(use, call);
}

void CheckSwizzle(VkCall& call, VkDescriptorType type, const ImageViewState& view) {
  const Resource* image = view.image.get();
  if (!view.swizzled || image == nullptr || !image->live() ||
      (type != VK_DESCRIPTOR_TYPE_STORAGE_IMAGE && type != VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT))
      [[likely]]
    return;
  ReportSync(call, *image, rules::SyncStateUse::Fault::kSwizzledView, "",
             "VkWriteDescriptorSet-descriptorType-00336");
}

void CheckLimits(VkCall& call, VkDescriptorType type, const Resource& buffer, const Region& bytes) {
  using Fault = rules::SyncStateUse::Fault;
  const Device::BufferLimits& limits = LimitsOf(call.device(), type);
  if (bytes.offset % limits.alignment != 0) [[unlikely]] {
    ReportSync(call, buffer, Fault::kDescriptorAlignment,
               absl::StrCat("the offset ", bytes.offset, ", which is not a multiple of ",
                            limits.alignment, ","),
               IsUniform(type) ? "VkWriteDescriptorSet-descriptorType-00327"
                               : "VkWriteDescriptorSet-descriptorType-00328");
  }
  if (bytes.width > limits.most && bytes.end() <= buffer.bytes) [[unlikely]] {
    ReportSync(call, buffer, Fault::kDescriptorRange,
               absl::StrCat(bytes.width, " B, while the limit is ", limits.most, " B,"),
               IsUniform(type) ? "00332" : "00333");
  }
}

bool CheckBytes(VkCall& call, const Resource& buffer, const VkDescriptorBufferInfo& info) {
  using Fault = rules::SyncStateUse::Fault;
  if (info.offset >= buffer.bytes) [[unlikely]] {
    ReportSync(call, buffer, Fault::kDescriptorBytes,
               absl::StrCat("begins at byte ", info.offset, ", after the last byte"),
               "offset-00340");
    return false;
  }
  if (info.range != 0) [[likely]]
    return true;
  ReportSync(call, buffer, Fault::kDescriptorBytes, "has no bytes", "range-00341");
  return false;
}

namespace {

// Checks that the bindings after the first one, in which a write continues, are like the first.
// Precondition: the write ends inside of the set.
void CheckContinued(VkCall& call, const Object& set, const SetLayout& layout,
                    const LayoutBinding& first, const VkWriteDescriptorSet& write) {
  const uint64_t end = uint64_t{first.first} + write.dstArrayElement + write.descriptorCount;
  for (const LayoutBinding& next : layout.bindings) {
    if (next.first <= first.first || next.first >= end || next.count == 0) continue;
    const char* vuid = next.type != first.type             ? "descriptorCount-00317"
                       : next.stages != first.stages       ? "descriptorCount-10776"
                       : next.immutable != first.immutable ? "descriptorCount-00318"
                                                           : nullptr;
    if (vuid == nullptr) continue;
    return ReportSync(
        call, set, rules::SyncStateUse::Fault::kContinuedWrite,
        absl::StrCat("binding ", first.binding, " that continues in binding ", next.binding), vuid);
  }
}

// Checks the sizes of a write into an inline uniform block [bytes].
void CheckInlineBlock(VkCall& call, const Object& set, const VkWriteDescriptorSet& write) {
  const auto* block = FindInChain<VkWriteDescriptorSetInlineUniformBlock>(
      write.pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
  const auto report = [&](const std::string& what, const char* vuid) {
    ReportSync(call, set, rules::SyncStateUse::Fault::kInlineBlock,
               absl::StrCat(what, " for binding ", write.dstBinding), vuid);
  };
  if (write.dstArrayElement % 4 != 0)
    report(absl::StrCat("the offset ", write.dstArrayElement),
           "WriteDescriptorSet-descriptorType-02219");
  if (write.descriptorCount % 4 != 0)
    report(absl::StrCat(write.descriptorCount, " B"), "WriteDescriptorSet-descriptorType-02220");
  if (block == nullptr || block->dataSize != write.descriptorCount) {
    report(absl::StrCat(write.descriptorCount, " B, and ", block != nullptr ? block->dataSize : 0,
                        " B of data"),
           "WriteDescriptorSet-descriptorType-02221");
  }
  if (block != nullptr && block->dataSize % 4 != 0)
    report(absl::StrCat(block->dataSize, " B of data"),
           "WriteDescriptorSetInlineUniformBlock-dataSize-02222");
}

}  // namespace

bool CheckWrite(VkCall& call, const Object* set, const SetLayout& layout,
                const LayoutBinding* binding, const VkWriteDescriptorSet& write, size_t descriptors,
                bool by_template) {
  rules::DescriptorUse use;
  use.set = set;
  use.binding = write.dstBinding;
  if (write.descriptorCount == 0 || descriptors >= kMostDescriptors) return true;
  if (binding == nullptr || binding->count == 0) {
    use.fault = rules::DescriptorUse::Fault::kNoBinding;
    use.vuid = by_template               ? "VUID-VkDescriptorUpdateTemplateEntry-dstBinding-00354"
               : layout.bindings.empty() ? "VUID-VkWriteDescriptorSet-dstBinding-10009"
               : write.dstBinding > layout.bindings.back().binding
                   ? "VUID-VkWriteDescriptorSet-dstBinding-00315"
                   : "VUID-VkWriteDescriptorSet-dstBinding-00316";
  } else if (!layout.MayHaveType(*binding, write.descriptorType)) {
    use.fault = rules::DescriptorUse::Fault::kOtherType;
    use.vuid = binding->type == VK_DESCRIPTOR_TYPE_MUTABLE_VALVE
                   ? "VUID-VkWriteDescriptorSet-dstSet-04611"
               : by_template ? "VUID-vkUpdateDescriptorSetWithTemplate-pData-01685"
                             : "VUID-VkWriteDescriptorSet-descriptorType-00319";
  } else if (write.descriptorType != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK &&
             uint64_t{binding->first} + write.dstArrayElement + write.descriptorCount >
                 descriptors) {
    use.fault = rules::DescriptorUse::Fault::kPastTheEnd;
    use.vuid = by_template ? "VUID-VkDescriptorUpdateTemplateEntry-dstArrayElement-00355"
                           : "VUID-VkWriteDescriptorSet-dstArrayElement-00321";
  } else {
    if (set == nullptr || by_template) return true;
    if (write.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      CheckInlineBlock(call, *set, write);
    } else if (write.dstArrayElement + uint64_t{write.descriptorCount} > binding->count)
        [[unlikely]] {
      CheckContinued(call, *set, layout, *binding, write);
    }
    if (binding->immutable && write.descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER)
      ReportSync(call, *set, rules::SyncStateUse::Fault::kImmutableSampler,
                 absl::StrCat(write.dstBinding), "WriteDescriptorSet-descriptorType-02752");
    return true;
  }
  rules::OnDescriptorUse(use, call);
  return false;
}

void CheckCopy(VkCall& call, const VkCopyDescriptorSet& copy, const DescriptorSetState& from,
               const LayoutBinding* source, const DescriptorSetState& to,
               const LayoutBinding* target) {
  if (copy.descriptorCount == 0) return;
  const auto report = [&](const DescriptorSetState& set, const char* end, uint32_t binding,
                          const char* fault, const char* vuid) {
    ReportSync(call, *set.object, rules::SyncStateUse::Fault::kDescriptorCopy,
               absl::StrCat(end, " binding ", binding, ", ", fault), vuid);
  };
  if (source == nullptr)
    return report(from, "from", copy.srcBinding, "which its layout lacks", "srcBinding-00345");
  if (target == nullptr)
    return report(to, "to", copy.dstBinding, "which its layout lacks", "dstBinding-00347");
  if (from.layout->after_bind != to.layout->after_bind) {
    report(to, "to", copy.dstBinding,
           "of a layout for updates after the binding, or from one, but not both",
           from.layout->after_bind ? "srcSet-01918" : "srcSet-01919");
  }
  if (from.after_bind != to.after_bind) {
    report(to, "to", copy.dstBinding,
           "of a pool for updates after the binding, or from one, but not both",
           from.after_bind ? "srcSet-01920" : "srcSet-01921");
  }
  if (target->immutable && target->type == VK_DESCRIPTOR_TYPE_SAMPLER)
    report(to, "to", copy.dstBinding, "which has immutable samplers", "dstBinding-02753");
  constexpr VkDescriptorType kMutable = VK_DESCRIPTOR_TYPE_MUTABLE_VALVE;
  if (source->type == kMutable || target->type == kMutable) return;
  if (source->type != target->type)
    return report(to, "to", copy.dstBinding, "which has another type than the source",
                  "dstBinding-02632");
  if (source->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
    constexpr const char* kNoWords = "in parts of a word of 4 B";
    if (copy.srcArrayElement % 4 != 0)
      report(from, "from", copy.srcBinding, kNoWords, "srcBinding-02223");
    if (copy.dstArrayElement % 4 != 0)
      report(to, "to", copy.dstBinding, kNoWords, "dstBinding-02224");
    if (copy.descriptorCount % 4 != 0)
      report(from, "from", copy.srcBinding, kNoWords, "srcBinding-02225");
    return;
  }
  // Sets with more descriptors are tracked in part.
  const auto ends_inside = [&](const DescriptorSetState& set, const LayoutBinding& binding,
                               uint32_t element) {
    const size_t all = set.descriptors.size();
    return all >= kMostDescriptors ||
           uint64_t{binding.first} + element + copy.descriptorCount <= all;
  };
  if (!ends_inside(from, *source, copy.srcArrayElement))
    return report(from, "from", copy.srcBinding, "more than the set has from there on",
                  "srcArrayElement-00346");
  if (!ends_inside(to, *target, copy.dstArrayElement))
    report(to, "to", copy.dstBinding, "more than the set has from there on",
           "dstArrayElement-00348");
}

bool CheckSampler(VkCall& call, const Object* set, const LayoutBinding& binding,
                  const VkWriteDescriptorSet& write) {
  if (!HasSampler(write.descriptorType) || binding.immutable || write.pImageInfo == nullptr ||
      write.dstArrayElement >= binding.count)
    return true;
  const uint32_t count = std::min(write.descriptorCount, binding.count - write.dstArrayElement);
  for (uint32_t i = 0; i < count; ++i) {
    const VkSampler sampler = write.pImageInfo[i].sampler;
    if (sampler != VK_NULL_HANDLE) {
      UseHandle(call, ObjectKind::kSampler, HandleOf(sampler), "sampler");
      continue;
    }
    rules::DescriptorUse use;
    use.set = set;
    use.binding = write.dstBinding;
    use.fault = rules::DescriptorUse::Fault::kNoSampler;
    use.vuid = "VUID-VkWriteDescriptorSet-descriptorType-00325";
    rules::OnDescriptorUse(use, call);
    return false;
  }
  return true;
}

namespace {

using Fault = rules::SyncStateUse::Fault;

// Layouts in which no shader accesses an image.
bool IsForNoShader(Layout layout) {
  return layout == VK_IMAGE_LAYOUT_UNDEFINED || layout == VK_IMAGE_LAYOUT_PREINITIALIZED ||
         layout == VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL ||
         layout == VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL ||
         layout == VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL ||
         layout == VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL ||
         layout == VK_IMAGE_LAYOUT_PRESENT_SRC_KHR || layout == VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL;
}

const char* LayoutVuid(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
      return "descriptorType-04149";
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      return "descriptorType-04150";
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      return "descriptorType-04151";
    default:
      return "descriptorType-04152";
  }
}

}  // namespace

void CheckNullDescriptor(VkCall& call, VkDescriptorType type) {
  const Device& device = call.device();
  const bool input = type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  if (device.object == nullptr || (device.features.null_descriptors && !input)) return;
  const char* vuid =
      input                 ? "VkWriteDescriptorSet-descriptorType-07683"
      : IsBuffer(type)      ? "VkDescriptorBufferInfo-buffer-02998"
      : IsTexelBuffer(type) ? "VkWriteDescriptorSet-descriptorType-02995"
      : IsImage(type)
          ? "VkWriteDescriptorSet-descriptorType-02997"
          : "VkWriteDescriptorSetAccelerationStructureKHR-pAccelerationStructures-03580";
  const char* what = IsBuffer(type)        ? "buffer"
                     : IsTexelBuffer(type) ? "buffer view"
                     : IsImage(type)       ? "image view"
                                           : "acceleration structure";
  ReportSync(call, *device.object, Fault::kNullDescriptor, what, vuid);
}

void CheckNullBuffer(VkCall& call, VkDescriptorType type, const VkDescriptorBufferInfo& info) {
  CheckNullDescriptor(call, type);
  const Device& device = call.device();
  if (device.object == nullptr || !device.features.null_descriptors ||
      (info.offset == 0 && info.range == VK_WHOLE_SIZE))
    return;
  ReportSync(call, *device.object, Fault::kNullBufferRange, absl::StrCat(info.offset));
}

void CheckImageDescriptor(VkCall& call, VkDescriptorType type, const ImageViewState& view,
                          Layout layout) {
  const Resource* image = view.image.get();
  if (image == nullptr || !image->live()) return;
  const bool storage = type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  if (IsForNoShader(layout) || (storage && layout == VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL))
      [[unlikely]]
    ReportSync(call, *image, Fault::kDescriptorLayout, LayoutName(layout), LayoutVuid(type));
  constexpr VkImageAspectFlags kBoth = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  if ((view.part.aspects & kBoth) == kBoth) [[unlikely]]
    ReportSync(call, *image, Fault::kDescriptorAspects);
  const ImageState& state = ImageOf(*image);
  if (!state.is_3d || view.type != VK_IMAGE_VIEW_TYPE_2D) [[likely]]
    return;
  constexpr VkImageCreateFlags kFlatViews = 0x20000;  // VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT
  if (type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT) {
    ReportSync(call, *image, Fault::kFlatView, "as an input attachment", "07795");
  } else if ((state.flags & kFlatViews) == 0) {
    ReportSync(call, *image, Fault::kFlatView,
               "but the image was created without VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT",
               "07796");
  }
}

}  // namespace gpusan::vulkan
