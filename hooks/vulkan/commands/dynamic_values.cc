// The values of viewports and scissors that commands set.
#include "hooks/vulkan/commands/dynamic_values.h"

#include <cmath>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/device_faults.h"
#include "hooks/vulkan/objects/sync_objects.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

struct ViewportFault {
  std::string text;            // what is wrong; empty: nothing
  const char* vuid = nullptr;  // the end of the valid usage
  Fault fault = Fault::kViewportSize;
};

// Values that are not numbers are not checked.
ViewportFault FaultOf(const Device& device, const VkViewport& viewport) {
  const VkPhysicalDeviceLimits& limits = device.limits;
  const auto number = [](const char* name, float value, const char* problem) {
    return absl::StrCat("the ", name, " ", value, ", which ", problem);
  };
  const auto above = [&](const char* name, float value, const char* limit, float most) {
    return absl::StrCat("the ", name, " ", value, ", which exceeds ", limit, ", ", most);
  };
  const auto below = [&](const char* name, float value, float least) {
    return absl::StrCat("the ", name, " ", value, ", which is below viewportBoundsRange[0], ",
                        least);
  };
  const auto widest = static_cast<float>(limits.maxViewportDimensions[0]);
  const auto highest = static_cast<float>(limits.maxViewportDimensions[1]);
  const float least = limits.viewportBoundsRange[0], most = limits.viewportBoundsRange[1];
  const float right = viewport.x + viewport.width, bottom = viewport.y + viewport.height;
  if (viewport.width <= 0)
    return {number("width", viewport.width, "is not above 0"), "width-01770"};
  if (viewport.width > widest)
    return {above("width", viewport.width, "maxViewportDimensions[0]", widest), "width-01771"};
  if (std::fabs(viewport.height) > highest)
    return {above("height", viewport.height, "maxViewportDimensions[1]", highest), "height-01773"};
  if (viewport.x < least) return {below("x", viewport.x, least), "x-01774"};
  if (right > most) return {above("x + width", right, "viewportBoundsRange[1]", most), "x-01232"};
  if (viewport.y < least) return {below("y", viewport.y, least), "y-01775"};
  if (viewport.y > most) return {above("y", viewport.y, "viewportBoundsRange[1]", most), "y-01776"};
  if (bottom < least) return {below("y + height", bottom, least), "y-01777"};
  if (bottom > most)
    return {above("y + height", bottom, "viewportBoundsRange[1]", most), "y-01233"};
  if (device.features.any_depths) return {};
  if (viewport.minDepth < 0 || viewport.minDepth > 1)
    return {number("minDepth", viewport.minDepth, "is not from 0 to 1"), "minDepth-01234",
            Fault::kViewportDepth};
  if (viewport.maxDepth < 0 || viewport.maxDepth > 1)
    return {number("maxDepth", viewport.maxDepth, "is not from 0 to 1"), "maxDepth-01235",
            Fault::kViewportDepth};
  return {};
}

}  // namespace

void CheckIndices(VkCall& call, uint32_t first, uint32_t count) {
  if (uint64_t{first} + count <= 1 || call.device().features.core.multiViewport) [[likely]]
    return;
  struct Row {
    std::string_view command;
    const char *first, *count;
  };
  constexpr Row kRows[] = {
      {"vkCmdSetViewport", "vkCmdSetViewport-firstViewport-01224",
       "vkCmdSetViewport-viewportCount-01225"},
      {"vkCmdSetScissor", "vkCmdSetScissor-firstScissor-00593",
       "vkCmdSetScissor-scissorCount-00594"},
      {"vkCmdSetViewportWithCount", "", "vkCmdSetViewportWithCount-viewportCount-03395"},
      {"vkCmdSetScissorWithCount", "", "vkCmdSetScissorWithCount-scissorCount-03398"},
  };
  for (const Row& row : kRows) {
    std::string_view name = call.info().name;
    if (name.substr(0, row.command.size()) != row.command) continue;
    if (const std::string_view rest = name.substr(row.command.size());
        !rest.empty() && rest != "EXT")
      continue;
    const bool viewports = row.command.find("Viewport") != std::string_view::npos;
    ReportFeature(call,
                  count > 1
                      ? absl::StrCat("the ", viewports ? "viewportCount " : "scissorCount ", count)
                      : absl::StrCat("the ", viewports ? "firstViewport " : "firstScissor ", first),
                  "multiViewport", count > 1 ? row.count : row.first);
  }
}

void CheckValues(VkCall& call, const CommandBufferState& state, uint32_t count,
                 const VkViewport* values) {
  for (uint32_t i = 0; values != nullptr && i < count; ++i) {
    const ViewportFault found = FaultOf(call.device(), values[i]);
    if (found.text.empty()) [[likely]]
      continue;
    return ReportSync(call, *state.object, found.fault,
                      absl::StrCat("viewport ", i, " with ", found.text),
                      absl::StrCat("VkViewport-", found.vuid));
  }
}

void CheckValues(VkCall& call, const CommandBufferState& state, uint32_t count,
                 const VkRect2D* values) {
  const std::string_view function = call.info().name;
  const bool counted = function.find("WithCount") != std::string_view::npos;
  const auto report = [&](uint32_t index, const std::string& text, const char* own,
                          const char* other) {
    ReportSync(call, *state.object, Fault::kScissor,
               absl::StrCat("scissor ", index, " with ", text),
               counted ? absl::StrCat("vkCmdSetScissorWithCount-", other)
                       : absl::StrCat("vkCmdSetScissor-", own));
  };
  for (uint32_t i = 0; values != nullptr && i < count; ++i) {
    const VkRect2D& scissor = values[i];
    const VkOffset2D& offset = scissor.offset;
    const auto past = [](int32_t from, uint32_t size) { return int64_t{from} + size > INT32_MAX; };
    if (offset.x < 0 || offset.y < 0) {
      return report(i,
                    absl::StrCat("the offset (", offset.x, ", ", offset.y, "), which is negative"),
                    "x-00595", "x-03399");
    }
    const bool wide = past(offset.x, scissor.extent.width);
    if (!wide && !past(offset.y, scissor.extent.height)) continue;
    return report(i,
                  wide ? absl::StrCat("the offset.x ", offset.x, " and the extent.width ",
                                      scissor.extent.width, ", whose sum exceeds 2147483647")
                       : absl::StrCat("the offset.y ", offset.y, " and the extent.height ",
                                      scissor.extent.height, ", whose sum exceeds 2147483647"),
                  wide ? "offset-00596" : "offset-00597", wide ? "offset-03400" : "offset-03401");
  }
}

}  // namespace gpusan::vulkan
