// Reports images that a transfer command uses in an unsuitable layout.
#include "hooks/vulkan/transfers/transfer_uses.h"

#include <string>

#include "hooks/vulkan/call/valid_usage.h"
#include "tracker/rules/rules.h"

namespace gpusan::vulkan {

void ReportTransferLayout(VkCall& call, Resource& image, Layout layout, bool write) {
  rules::LayoutUse use;
  use.resource = &image;
  use.mismatch.expected = layout;
  use.wrong_kind = true;
  // The layout that fits.
  use.mismatch.actual.layout =
      write ? VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  const std::string vuid =
      LayoutKindVuid(call.info().name, write ? LayoutRole::kWritten : LayoutRole::kRead);
  use.vuid = vuid.c_str();
  rules::OnLayoutUse(use, call);
}

}  // namespace gpusan::vulkan
