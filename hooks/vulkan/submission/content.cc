// The content of buffers and images (written or not).
#include "hooks/vulkan/submission/content.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <optional>
#include <string_view>

#include "hooks/vulkan/memory/aliases.h"
#include "tracker/rules/events/unwritten_texels.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {
namespace {

constexpr uint64_t kTransfers =
    VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT;
constexpr uint8_t kWordBytes = 4;  // of the value that vkCmdFillBuffer writes

// Whether the first write to the buffer is a fill that covers as many bytes as the buffer has
// words.
bool CountsWords(const Resource& buffer, const RecordedUse& use, const Region& region) {
  return buffer.init.none() && region.linear() && region.offset == 0 &&
         SaturatingMultiply(region.width, kWordBytes) == buffer.bytes &&
         std::string_view(use.call->name) == "vkCmdFillBuffer";
}

// The box of a part within its mip level, and the complete level.
PartialContent::Box LevelOf(const ImageState& image, uint32_t mip) {
  const VkExtent3D extent = image.ExtentOf(mip);
  return {{0, 0, 0}, {extent.width, extent.height, extent.depth}};
}
PartialContent::Box BoxOf(const ImageState& image, const ImagePart& part, uint32_t mip) {
  if (part.whole()) return LevelOf(image, mip);
  PartialContent::Box box;
  std::copy(std::begin(part.origin), std::end(part.origin), box.origin);
  std::copy(std::begin(part.extent), std::end(part.extent), box.extent);
  return box;
}

// Notes that the part has content. Only transfers write a known part of a subresource. Which texels
// of depth and stencil together are written is not kept.
void NoteWritten(ImageState& image, const RecordedUse& use, const ImagePart& part) {
  const bool in_part = !part.whole() && part.mips == 1 && !use.unordered &&
                       (use.stage & kTransfers) != 0 && (image.aspects & (image.aspects - 1)) == 0;
  if (!in_part) [[likely]] {
    image.content.Set(part, true);
    if (image.extra != nullptr) [[unlikely]]
      image.extra->partial.Forget(part);
    return;
  }
  const SubresourceRange range = image.layouts.Clip(RangeOf(part));
  for (uint32_t layer = range.first_layer; layer < range.first_layer + range.layers; ++layer) {
    const bool first = !image.content.Holds(part.first_mip, layer);
    if (!first && (image.extra == nullptr || image.extra->partial.empty())) [[likely]]
      continue;
    image.MakeExtra().partial.Write(part.first_mip, layer, BoxOf(image, part, part.first_mip),
                                    LevelOf(image, part.first_mip), first);
  }
  image.content.Set(part, true);
}

// Whether the content of each texel that the command reads is a result of it. Programs copy images
// to other images without regard to what is in use of them.
bool KeepsEachTexel(const RecordedUse& use) {
  return std::string_view(use.call->name).starts_with("vkCmdCopyImageToBuffer");
}

// Fills `texels` if the command reads some of a subresource that nothing has written.
void FindUnwritten(const ImageState& image, const ImagePart& part, uint32_t mip, uint32_t layer,
                   const Resource* resource, rules::UnwrittenTexels* texels) {
  const std::optional<PartialContent::Box> found =
      image.extra->partial.FindUnwritten(mip, layer, BoxOf(image, part, mip));
  if (!found) return;
  texels->image = resource;
  texels->mip = mip;
  texels->layer = layer;
  std::ranges::copy(found->origin, texels->origin);
  std::ranges::copy(found->extent, texels->extent);
}

bool Includes(const ImagePart& part, uint32_t mip, uint32_t layer) {
  return mip - part.first_mip < part.mips && layer - part.first_layer < part.layers;
}

// Reports the subresources and texels of the part that nothing has written.
[[gnu::noinline]] void ReadImage(const ContentPlace& place, Resource& resource,
                                 const RecordedUse& use, const ImagePart& part) {
  Tracker& tracker = place.call.tracker();
  ImageState& image = ImageOf(resource);
  rules::ContentUse empty;
  rules::UnwrittenTexels texels;
  {
    std::lock_guard lock(image.lock);
    const SubresourceRange range = image.layouts.Clip(RangeOf(part));
    for (uint32_t layer = range.first_layer; layer < range.first_layer + range.layers; ++layer) {
      for (uint32_t mip = range.first_mip; mip < range.first_mip + range.mips; ++mip) {
        if (image.content.Holds(mip, layer)) {
          // The mip level that a shader reads is unknown.
          if (use.shader) return;
          if (image.extra != nullptr && texels.image == nullptr && KeepsEachTexel(use)) [[unlikely]]
            FindUnwritten(image, part, mip, layer, &resource, &texels);
          continue;
        }
        if (empty.resource != nullptr) continue;
        empty.resource = &resource;
        empty.mip = mip;
        empty.layer = layer;
        if (const ImageExtra* extra = image.extra.get();
            extra != nullptr && extra->dropped_call != nullptr &&
            Includes(extra->dropped_part, mip, layer)) {
          empty.dropped_by = extra->dropped_call;
          empty.origin_site = extra->dropped_site;
          continue;
        }
        const LayoutMap::State& state = image.layouts.StateAt(mip, layer);
        empty.origin = state.call;
        empty.origin_site = state.site;
      }
    }
    image.content.Set(part, true);  // report once
    if (texels.image != nullptr) image.extra->partial.Forget(part);
  }
  if ((empty.resource == nullptr && texels.image == nullptr) ||
      tracker.shadow().MayHoldUnseenWrites(resource))
    return;
  Call made(tracker, *use.call, place.call.words(), nullptr, nullptr, use.site, place.label);
  if (empty.resource != nullptr) return rules::OnContentUse(empty, made);
  rules::OnUnwrittenTexels(texels, made);
}

}  // namespace

[[gnu::noinline, gnu::cold]] void NoteLostContent(const ContentPlace& place, Resource& resource,
                                                  const RecordedUse& use) {
  Tracker& tracker = place.call.tracker();
  if (resource.image == nullptr) return;
  ImageState& image = ImageOf(resource);
  Aliases lost;
  {
    std::lock_guard lock(image.lock);
    if (image.aliases == nullptr || image.aliases->lost_call == nullptr) return;
    if (!use.write && (use.shader || use.unordered || (use.stage & kTransfers) == 0)) return;
    lost = *image.aliases;
    image.aliases->lost_call = nullptr;  // written again, or already reported
  }
  if (use.write || lost.lost_on != place.timeline || tracker.shadow().MayHoldUnseenWrites(resource))
    return;
  rules::ContentUse content;
  content.resource = &resource;
  content.lost_call = lost.lost_call;
  content.lost_site = lost.lost_site;
  content.lost_to = lost.lost_to.get();
  Call made(tracker, *use.call, place.call.words(), nullptr, nullptr, use.site, place.label);
  rules::OnContentUse(content, made);
}

void content_internal::UseBuffer(const ContentPlace& place, Resource& buffer,
                                 const RecordedUse& use, const Region& region) {
  Tracker& tracker = place.call.tracker();
  if (tracker.shadow().MayHoldUnseenWrites(buffer)) return;
  if (use.write) {
    std::lock_guard lock(buffer.lock);
    if (use.shader) {
      buffer.init.MarkAll();
    } else {
      if (CountsWords(buffer, use, region)) buffer.init.NoteElementSizes(kWordBytes);
      buffer.init.Mark(region, buffer.bytes);
    }
    return;
  }
  // The bytes that a shader reads are unknown.
  if (use.shader ? !use.content_used || !buffer.init.none() : buffer.init.SurelyCovered(region))
    return;
  if (use.maybe) return;
  if (MayBeWrittenUnseen(buffer)) return;
  Call made(tracker, *use.call, place.call.words(), nullptr, nullptr, use.site, place.label);
  rules::OnContentUse({&buffer, region}, made);
}

void content_internal::UseImage(const ContentPlace& place, Resource& resource,
                                const RecordedUse& use, const ImagePart& part) {
  ImageState& image = ImageOf(resource);
  {
    std::lock_guard lock(image.lock);
    // Bound to bytes that another resource is or was bound to.
    if (resource.init.all()) return image.content.Reset(image.mips, image.layers, true);
    if (use.drops && part.whole() && !IsOneOfSeveral(image, part.aspects)) {
      image.content.Set(part, false);
      ImageExtra& extra = image.MakeExtra();
      extra.partial.Forget(part);
      extra.dropped_call = use.call;
      extra.dropped_site = use.site;
      extra.dropped_part = part;
      return;
    }
    const bool read = use.shader ? use.content_used : (use.stage & kTransfers) != 0;
    if (use.write || use.unordered || !read) {
      if (use.write) NoteWritten(image, use, part);
      return;
    }
  }
  ReadImage(place, resource, use, part);
}

}  // namespace gpusan::vulkan
