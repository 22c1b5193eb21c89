// Checks barriers against the queue family of their command buffer, and against the render pass
// that they are in.
#pragma once

#include <iterator>

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

// VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR, which the headers may lack.
inline constexpr VkDependencyFlags kTransferStages = 0x20;
// Adds a finding if the flags have that flag, and the device lacks its feature. `object`: for which
// the command is recorded.
[[gnu::noinline, gnu::cold]] void ReportTransferFlag(VkCall& call, const Object& object,
                                                     const char* vuid);
inline void CheckTransferFlag(VkCall& call, const Object& object, VkDependencyFlags flags,
                              const char* vuid) {
  if ((flags & kTransferStages) != 0 && !call.device().features.maintenance8) [[unlikely]]
    ReportTransferFlag(call, object, vuid);
}

// Adds a finding for a command of synchronization2 if the device lacks the feature. `object`: for
// which it is called. `end`: of its valid usage, such as "03848".
[[gnu::noinline, gnu::cold]] void ReportLacksSync2(VkCall& call, const Object& object,
                                                   const char* end);
inline void CheckSync2(VkCall& call, const Object& object, const char* end) {
  if (!call.device().features.synchronization2) [[unlikely]]
    ReportLacksSync2(call, object, end);
}

// The kind of a barrier. It decides which valid usage invalid masks break.
enum class BarrierKind : uint8_t { kMemory, kBuffer, kImage };

// Checks masks that differ from the two that the command buffer checked last.
[[gnu::noinline]] void CheckNewMasks(Recorder& recorder, const GivenMasks& masks, BarrierKind kind);

// Whether CheckMasks adds no finding, because the command buffer checked the masks lately.
inline bool AreChecked(const CommandBufferState& state, const GivenMasks& masks) {
  return state.checked[0] == masks || state.checked[1] == masks;
}
// Adds findings for stages that the queue family does not support, and for accesses that the stages
// do not make.
inline void CheckMasks(Recorder& recorder, const GivenMasks& masks, BarrierKind kind) {
  if (!AreChecked(recorder.state(), masks)) [[unlikely]]
    CheckNewMasks(recorder, masks, kind);
}

// Adds a finding for a barrier of synchronization1 that names queue families for a resource which
// they share. Precondition: a family is not VK_QUEUE_FAMILY_IGNORED.
[[gnu::noinline, gnu::cold]] void CheckNamedFamilies(VkCall& call, const Resource& resource,
                                                     uint32_t source_family,
                                                     uint32_t target_family);
// Checks a barrier that transfers ownership between two queue families. The queue of the command
// buffer executes the release or the acquisition.
[[gnu::noinline]] void CheckTransfer(Recorder& recorder, const Resource& resource,
                                     uint32_t source_family, uint32_t target_family,
                                     const GivenMasks& masks, VkDependencyFlags flags);

// Adds a finding if the range names subresources that the image lacks.
[[gnu::noinline, gnu::cold]] void ReportRange(VkCall& call, const Resource& image,
                                              const VkImageSubresourceRange& range);
// Whether CheckRange adds no finding.
inline bool IsRangeInside(const ImageState& state, const VkImageSubresourceRange& range) {
  const uint64_t mips = range.levelCount == VK_REMAINING_MIP_LEVELS ? 1 : range.levelCount;
  const uint64_t layers = range.layerCount == VK_REMAINING_ARRAY_LAYERS ? 1 : range.layerCount;
  return range.baseMipLevel + mips <= state.mips && range.baseArrayLayer + layers <= state.layers &&
         mips != 0 && layers != 0 &&
         (range.aspectMask == state.aspects || (range.aspectMask == VK_IMAGE_ASPECT_COLOR_BIT &&
                                                (state.aspects & VK_IMAGE_ASPECT_COLOR_BIT) != 0));
}
inline void CheckRange(VkCall& call, const Resource& image, const VkImageSubresourceRange& range) {
  if (!IsRangeInside(ImageOf(image), range)) [[unlikely]]
    ReportRange(call, image, range);
}

// The usage with which an image must be created to have a layout.
struct LayoutUsage {
  VkImageUsageFlags needed = 0;  // any of them; 0: anything
  const char* names = "";        // of `needed`
  const char* vuid = "";         // the end of the name of that of a barrier
};
// By layout. Other layouts need the features of the extensions that define them.
inline constexpr LayoutUsage kLayoutUsages[] = {
    {},
    {},
    {VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, "VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT", "oldLayout-01208"},
    {VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, "VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT",
     "oldLayout-01209"},
    {},
    {VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
     "VK_IMAGE_USAGE_SAMPLED_BIT or VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT", "oldLayout-01211"},
    {VK_IMAGE_USAGE_TRANSFER_SRC_BIT, "VK_IMAGE_USAGE_TRANSFER_SRC_BIT", "oldLayout-01212"},
    {VK_IMAGE_USAGE_TRANSFER_DST_BIT, "VK_IMAGE_USAGE_TRANSFER_DST_BIT", "oldLayout-01213"}};
// Adds a finding if the image lacks the usage that the layout needs, or if the layout cannot be a
// new one. Precondition: MayHaveLayout is false.
[[gnu::noinline, gnu::cold]] void CheckLateLayout(VkCall& call, const Resource& image,
                                                  Layout layout, bool is_new);
// Whether an image with the usage surely may have the layout, by kLayoutUsages.
inline bool MayHaveLayout(VkImageUsageFlags usage, Layout layout) {
  return layout < std::size(kLayoutUsages) && kLayoutUsages[layout].needed != 0
             ? (usage & kLayoutUsages[layout].needed) != 0
             : layout == VK_IMAGE_LAYOUT_GENERAL || layout == VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
}
// The same for the old layout of a barrier, which may be undefined.
inline bool MayHaveHadLayout(VkImageUsageFlags usage, Layout layout) {
  return layout == VK_IMAGE_LAYOUT_UNDEFINED || MayHaveLayout(usage, layout);
}
inline void CheckLayoutUsage(VkCall& call, const Resource& image, Layout old_layout,
                             Layout new_layout) {
  if (old_layout == new_layout) return;
  const uint32_t usage = ImageOf(image).usage;
  if (!MayHaveHadLayout(usage, old_layout)) [[unlikely]]
    CheckLateLayout(call, image, old_layout, false);
  if (!MayHaveLayout(usage, new_layout)) [[unlikely]]
    CheckLateLayout(call, image, new_layout, true);
}

// Layouts that the headers may lack: VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT and
// VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ.
inline constexpr Layout kZeroInitialized = 1000620000;
inline constexpr Layout kRenderingLocalRead = 1000232000;
// Adds a finding if a barrier changes only a part of an image from kZeroInitialized.
[[gnu::noinline, gnu::cold]] void CheckZeroRange(VkCall& call, const Resource& image,
                                                 const VkImageSubresourceRange& range);

// Adds a finding if the bytes are not inside of the buffer.
[[gnu::noinline, gnu::cold]] void ReportBytes(VkCall& call, const Resource& buffer, uint64_t offset,
                                              uint64_t bytes);
inline void CheckBytes(VkCall& call, const Resource& buffer, uint64_t offset, uint64_t bytes) {
  // A size of 0 is too long as well.
  if (offset >= buffer.bytes || (bytes != VK_WHOLE_SIZE && bytes - 1 >= buffer.bytes - offset))
      [[unlikely]]
    ReportBytes(call, buffer, offset, bytes);
}

// Adds a finding, and returns false, if a barrier inside of a render pass orders more than each
// dependency of the current subpass to itself.
[[gnu::noinline, gnu::cold]] bool CheckSelfDependency(Recorder& recorder, const GivenMasks& masks,
                                                      VkDependencyFlags flags);

// Adds a finding if a barrier of one of these aspects names a layout of depth alone, or of stencil
// alone, for the other aspect.
[[gnu::noinline, gnu::cold]] void ReportLayoutAspects(VkCall& call, const Resource& image,
                                                      Layout layout, VkImageAspectFlags aspects);
inline void CheckLayoutAspects(VkCall& call, const Resource& image, Layout layout,
                               VkImageAspectFlags aspects) {
  // The four layouts have successive values.
  if (layout - VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL < 4u) [[unlikely]]
    ReportLayoutAspects(call, image, layout, aspects);
}

// Checks a barrier, or a wait for events, inside of a render pass.
// `stages`: all stages that its masks name.
[[gnu::cold]] void CheckInPass(Recorder& recorder, uint64_t stages);
[[gnu::cold]] void CheckInPass(Recorder& recorder, const Resource& resource, bool image,
                               Layout old_layout, Layout new_layout);

}  // namespace gpusan::vulkan
