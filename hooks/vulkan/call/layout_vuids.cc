// The table of valid usages about layouts.
#include "hooks/vulkan/call/layout_vuids.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/call/valid_usage.h"

namespace gpusan::vulkan {
namespace {

// Of a command that reads or writes whole images. `structure`: that of the function with the same
// name and a 2 at its end. The first number is about the layout of the image, the second one about
// the kind of layout.
struct Row {
  std::string_view function, structure;
  std::array<std::string_view, 2> read, written;
};
constexpr Row kRows[] = {
    {"vkCmdCopyImage", "VkCopyImageInfo2", {"00128", "01917"}, {"00133", "01395"}},
    {"vkCmdCopyBufferToImage", "VkCopyBufferToImageInfo2", {}, {"00180", "01396"}},
    {"vkCmdCopyImageToBuffer", "VkCopyImageToBufferInfo2", {"00189", "01397"}, {}},
    {"vkCmdBlitImage", "VkBlitImageInfo2", {"00221", "01398"}, {"00226", "01399"}},
    {"vkCmdResolveImage", "VkResolveImageInfo2", {"00260", "01400"}, {"00262", "01401"}},
    {"vkCmdClearColorImage", "", {}, {"00004", "01394"}},
    {"vkCmdClearDepthStencilImage", "", {}, {"00011", "00012"}},
};

std::string TransferVuid(std::string_view function, bool written, size_t about) {
  function = CoreName(function);
  const bool second = function.ends_with('2');
  const std::string_view first = second ? function.substr(0, function.size() - 1) : function;
  const auto* const row = std::find_if(std::begin(kRows), std::end(kRows),
                                       [&](const Row& one) { return one.function == first; });
  if (row == std::end(kRows)) return "";
  const std::string_view number = (written ? row->written : row->read)[about];
  if (number.empty()) return "";
  const std::string_view argument = row->structure.empty() ? "imageLayout"
                                    : written              ? "dstImageLayout"
                                                           : "srcImageLayout";
  return absl::StrCat("VUID-", std::string(second ? row->structure : function), "-",
                      std::string(argument), "-", std::string(number));
}

}  // namespace

std::string LayoutVuid(std::string_view function, LayoutRole role) {
  if (role == LayoutRole::kDescriptor) return CommandVuid(function, "None-09600");
  if (role == LayoutRole::kRead || role == LayoutRole::kWritten)
    return TransferVuid(function, role == LayoutRole::kWritten, 0);
  if (CoreName(function) != "vkCmdBeginRendering") return "";
  return CommandVuid(function, role == LayoutRole::kColor   ? "pRenderingInfo-09592"
                               : role == LayoutRole::kDepth ? "pRenderingInfo-09588"
                                                            : "pRenderingInfo-09590");
}

std::string LayoutKindVuid(std::string_view function, LayoutRole role) {
  return TransferVuid(function, role == LayoutRole::kWritten, 1);
}

}  // namespace gpusan::vulkan
