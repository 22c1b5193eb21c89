// The ranges of vkCmdClearColorImage and vkCmdClearDepthStencilImage.
#include "hooks/vulkan/transfers/clear_ranges.h"

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/words/formats.h"

namespace gpusan::vulkan {

void ReportClearRange(VkCall& call, const Resource& image, const VkImageSubresourceRange& range) {
  const ImageState& state = ImageOf(image);
  const bool color = std::string_view(call.info().name) == "vkCmdClearColorImage";
  const auto report = [&](std::string what, const char* of_color, const char* of_depth) {
    ReportSync(call, image, rules::SyncStateUse::Fault::kClearRange, std::move(what),
               color ? of_color : of_depth);
  };
  const auto name = [](const char* what, uint32_t first, uint32_t count, uint32_t all) {
    return absl::StrCat(what, "s ", first, " to ", uint64_t{first} + count - 1, " of the ", all);
  };
  if (range.baseMipLevel >= state.mips)
    return report(absl::StrCat("mip level ", range.baseMipLevel, " of the ", state.mips),
                  "baseMipLevel-01470", "baseMipLevel-01474");
  if (range.levelCount != VK_REMAINING_MIP_LEVELS &&
      range.levelCount > state.mips - range.baseMipLevel)
    return report(name("mip level", range.baseMipLevel, range.levelCount, state.mips),
                  "pRanges-01692", "pRanges-01694");
  if (range.baseArrayLayer >= state.layers)
    return report(absl::StrCat("array layer ", range.baseArrayLayer, " of the ", state.layers),
                  "baseArrayLayer-01472", "baseArrayLayer-01476");
  report(name("array layer", range.baseArrayLayer, range.layerCount, state.layers), "pRanges-01693",
         "pRanges-01695");
}

void ReportClearFormat(VkCall& call, const Resource& image, bool color) {
  ReportSync(call, image, rules::SyncStateUse::Fault::kClearFormat,
             FormatName(ImageOf(image).format), color ? "image-00007" : "image-00014");
}

}  // namespace gpusan::vulkan
