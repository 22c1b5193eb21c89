// Checks that two images fit a command that copies, blits or resolves from one to the other.
#include "hooks/vulkan/transfers/image_pair_checks.h"

#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/memory/images.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/words/formats.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

bool IsColor(const ImageState& image) {
  return image.aspects == VK_IMAGE_ASPECT_COLOR_BIT && image.block.bytes != 0;
}

// `usage`: the end of the valid usage.
void Report(VkCall& call, const Resource& image, Fault fault, std::string text, const char* usage) {
  ReportSync(call, image, fault, std::move(text), usage);
}

std::string SamplesOf(const ImageState& image) {
  return absl::StrCat(image.samples, image.samples == 1 ? " sample" : " samples");
}

// The numbers of an integer format: "_SINT" or "_UINT"; empty for all others.
std::string_view IntegersOf(std::string_view format) {
  for (const std::string_view suffix : {"_SINT", "_UINT"}) {
    if (format.find(suffix) != std::string_view::npos) return suffix;
  }
  return {};
}

// Depth, stencil and integers cannot be filtered.
void CheckFilter(VkCall& call, const Resource& source, const ImageState& from) {
  constexpr VkImageAspectFlags kDepthStencil =
      VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  const bool depth = (from.aspects & kDepthStencil) != 0;
  const std::string name = FormatName(from.format);
  if (!depth && IntegersOf(name).empty()) [[likely]]
    return;
  Report(call, source, Fault::kBlitFilter, absl::StrCat("the format ", name),
         depth ? "srcImage-00232" : "filter-02001");
}

}  // namespace

void CheckCopy(VkCall& call, const Resource& source, const Resource& destination) {
  const ImageState &from = ImageOf(source), &to = ImageOf(destination);
  if (from.samples != to.samples) [[unlikely]] {
    Report(call, destination, Fault::kCopySamples,
           absl::StrCat("an image with ", SamplesOf(from), " per texel"), "srcImage-00136");
  }
  if (from.format == to.format || !IsColor(from) || !IsColor(to) ||
      from.block.bytes == to.block.bytes) [[likely]]
    return;
  Report(call, destination, Fault::kCopyFormats,
         absl::StrCat("an image of ", FormatName(from.format), " with ", from.block.bytes,
                      " B a texel block"),
         "srcImage-01548");
}

void CheckBlit(VkCall& call, const Resource& source, const Resource& destination, VkFilter filter) {
  const ImageState &from = ImageOf(source), &to = ImageOf(destination);
  if (filter != VK_FILTER_NEAREST) CheckFilter(call, source, from);
  if (from.samples != 1) [[unlikely]]
    Report(call, source, Fault::kBlitSamples, SamplesOf(from), "srcImage-00233");
  if (to.samples != 1) [[unlikely]]
    Report(call, destination, Fault::kBlitSamples, SamplesOf(to), "dstImage-00234");
  if (from.format == to.format || !IsColor(from) || !IsColor(to)) [[likely]]
    return;
  const std::string from_name = FormatName(from.format), to_name = FormatName(to.format);
  const std::string_view here = IntegersOf(from_name), there = IntegersOf(to_name);
  if (here == there) return;
  const bool has_signed = here == "_SINT" || there == "_SINT";
  Report(call, destination, Fault::kBlitFormats, absl::StrCat("an image of ", from_name),
         has_signed ? "srcImage-00229" : "srcImage-00230");
}

void CheckResolve(VkCall& call, const Resource& source, const Resource& destination) {
  const ImageState &from = ImageOf(source), &to = ImageOf(destination);
  if (from.samples == 1) [[unlikely]]
    Report(call, source, Fault::kResolvesOneSample, "", "srcImage-00257");
  if (to.samples != 1) [[unlikely]]
    Report(call, destination, Fault::kResolvesToSamples, SamplesOf(to), "dstImage-00259");
  if (from.format == to.format || !IsColor(from) || !IsColor(to)) [[likely]]
    return;
  Report(call, destination, Fault::kResolveFormats,
         absl::StrCat("an image of ", FormatName(from.format)), "srcImage-01386");
}

}  // namespace gpusan::vulkan
