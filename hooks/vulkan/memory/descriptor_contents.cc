#include "hooks/vulkan/memory/descriptor_contents.h"

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/memory/descriptor_checks.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/words/formats.h"

namespace gpusan::vulkan {
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
