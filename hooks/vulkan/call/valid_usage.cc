// The names of valid usages that follow from a function and its argument.
#include "hooks/vulkan/call/valid_usage.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"

namespace gpusan::vulkan {
namespace {

// The structure that has the argument of a function; empty: the function itself has it, or unknown.
std::string_view StructureOf(std::string_view function, std::string_view argument) {
  struct Row {
    std::string_view function, structure;
  };
  static constexpr std::array kRows = {
      Row{"vkCmdBeginRenderPass", "VkRenderPassBeginInfo"},
      Row{"vkCmdBeginRenderPass2", "VkRenderPassBeginInfo"},
      Row{"vkCreateFramebuffer", "VkFramebufferCreateInfo"},
      Row{"vkCmdBeginConditionalRenderingEXT", "VkConditionalRenderingBeginInfoEXT"},
      Row{"vkAllocateDescriptorSets", "VkDescriptorSetAllocateInfo"},
      Row{"vkCreateComputePipelines", "VkPipelineShaderStageCreateInfo"},
      Row{"vkCreateGraphicsPipelines", "VkPipelineShaderStageCreateInfo"},
      Row{"vkCmdCopyBuffer2", "VkCopyBufferInfo2"},
      Row{"vkCmdCopyImage2", "VkCopyImageInfo2"},
      Row{"vkCmdBlitImage2", "VkBlitImageInfo2"},
      Row{"vkCmdResolveImage2", "VkResolveImageInfo2"},
      Row{"vkCmdCopyBufferToImage2", "VkCopyBufferToImageInfo2"},
      Row{"vkCmdCopyImageToBuffer2", "VkCopyImageToBufferInfo2"},
      Row{"vkBindBufferMemory2", "VkBindBufferMemoryInfo"},
      Row{"vkBindImageMemory2", "VkBindImageMemoryInfo"},
  };
  if (argument == "commandBuffer" || argument == "device") return "";
  if (argument == "imageView")
    return function == "vkCmdBeginRendering" ? "VkRenderingAttachmentInfo" : "";
  const auto* const row = std::find_if(kRows.begin(), kRows.end(),
                                       [&](const Row& one) { return one.function == function; });
  return row != kRows.end() ? row->structure : std::string_view();
}

// Whether the function has a parameter of the name, and its valid usages have the function's name.
bool HasParameter(std::string_view function, std::string_view argument) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (!std::all_of(argument.begin(), argument.end(), is_letter)) return false;
  if (argument == "commandBuffer") return !function.ends_with("KHR") && !function.ends_with("EXT");
  // Members of structures.
  if (function.ends_with('2') || argument == "imageView" || argument == "imageViewBinding" ||
      argument == "sampler")
    return false;
  for (std::string_view prefix : {"vkWait", "vkCmdWait", "vkCopy", "vkTransition", "vkCmdBegin"}) {
    if (function.starts_with(prefix) && argument != "queryPool") return false;
  }
  if (function.starts_with("vkQueue")) return argument == "fence";
  return !function.ends_with("KHR") && !function.ends_with("EXT");
}

}  // namespace

std::string_view CoreName(std::string_view function) {
  // No other function is an alias of these, although their names end as those of aliases do.
  static constexpr std::array<std::string_view, 15> kOfExtensions = {
      "vkAcquireNextImage2KHR",
      "vkCmdBeginConditionalRendering2EXT",
      "vkCmdBeginTransformFeedback2EXT",
      "vkCmdBindTransformFeedbackBuffers2EXT",
      "vkCmdDispatchIndirect2KHR",
      "vkCmdDrawIndexedIndirect2KHR",
      "vkCmdDrawIndexedIndirectCount2KHR",
      "vkCmdDrawIndirect2KHR",
      "vkCmdDrawIndirectByteCount2EXT",
      "vkCmdDrawIndirectCount2KHR",
      "vkCmdDrawMeshTasksIndirect2EXT",
      "vkCmdDrawMeshTasksIndirectCount2EXT",
      "vkCmdEndTransformFeedback2EXT",
      "vkCmdSetDepthBias2EXT",
      "vkWaitForPresent2KHR"};
  // Aliases of other names.
  static constexpr std::array<std::string_view, 31> kAliases = {
      "vkCmdPushDescriptorSetKHR",
      "vkCmdPushDescriptorSetWithTemplateKHR",
      "vkCmdSetCullModeEXT",
      "vkCmdSetDepthBiasEnableEXT",
      "vkCmdSetDepthBoundsTestEnableEXT",
      "vkCmdSetDepthCompareOpEXT",
      "vkCmdSetDepthTestEnableEXT",
      "vkCmdSetDepthWriteEnableEXT",
      "vkCmdSetFrontFaceEXT",
      "vkCmdSetLineStippleEXT",
      "vkCmdSetLineStippleKHR",
      "vkCmdSetPrimitiveRestartEnableEXT",
      "vkCmdSetPrimitiveTopologyEXT",
      "vkCmdSetRasterizerDiscardEnableEXT",
      "vkCmdSetScissorWithCountEXT",
      "vkCmdSetStencilOpEXT",
      "vkCmdSetStencilTestEnableEXT",
      "vkCmdSetViewportWithCountEXT",
      "vkCopyImageToImageEXT",
      "vkCopyImageToMemoryEXT",
      "vkCopyMemoryToImageEXT",
      "vkCreateDescriptorUpdateTemplateKHR",
      "vkDestroyDescriptorUpdateTemplateKHR",
      "vkGetBufferDeviceAddressEXT",
      "vkGetBufferDeviceAddressKHR",
      "vkGetPhysicalDeviceToolPropertiesEXT",
      "vkGetSemaphoreCounterValueKHR",
      "vkSignalSemaphoreKHR",
      "vkTransitionImageLayoutEXT",
      "vkUpdateDescriptorSetWithTemplateKHR",
      "vkWaitSemaphoresKHR"};
  if (function.starts_with("vkCmdEndRendering2")) return "vkCmdEndRendering2KHR";
  if (function.starts_with("vkCmdTraceRays") || std::ranges::count(kOfExtensions, function) != 0)
    return function;
  const auto core = [&] { return function.substr(0, function.size() - 3); };
  if (std::ranges::count(kAliases, function) != 0) return core();
  for (std::string_view alias :
       {"2KHR", "RenderingKHR", "CountKHR", "CountAMD", "BaseKHR", "2EXT", "PoolEXT"}) {
    if (function.ends_with(alias)) return core();
  }
  return function;
}

std::string CommandVuid(std::string_view function, std::string_view end) {
  return absl::StrCat("VUID-", std::string(CoreName(function)), "-", std::string(end));
}

std::string HandleVuid(std::string_view function, std::string_view argument, bool parent) {
  if (argument.empty())
    return function.starts_with("vkCmd") ? CommandVuid(function, "None-08114")
                                         : InvalidCommandsVuid(function);
  function = CoreName(function);
  if (argument.ends_with("[]")) argument.remove_suffix(2);
  const std::string_view structure = StructureOf(function, argument);
  if (structure.empty() && !HasParameter(function, argument)) return "";
  const std::string of(structure.empty() ? function : structure), name(argument);
  if (!parent) return absl::StrCat("VUID-", of, "-", name, "-parameter");
  return structure.empty() && !function.starts_with("vkCmd") && !function.starts_with("vkQueue")
             ? absl::StrCat("VUID-", of, "-", name, "-parent")
             : absl::StrCat("VUID-", of, "-commonparent");
}

const char* InvalidCommandsVuid(std::string_view function) {
  if (function.starts_with("vkQueueSubmit2")) return "VUID-vkQueueSubmit2-commandBuffer-03874";
  return function == "vkQueueSubmit" ? "VUID-vkQueueSubmit-pCommandBuffers-00070" : "";
}

const char* UnmatchedAcquireVuid(std::string_view function) {
  if (function.starts_with("vkQueueSubmit2")) return "VUID-vkQueueSubmit2-commandBuffer-03879";
  return function == "vkQueueSubmit" ? "VUID-vkQueueSubmit-pSubmits-02207" : "";
}

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
