// Checks that a graphics pipeline has the state that its subpass needs.
#include "hooks/vulkan/shaders/pipeline_parts.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/objects.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/shaders/needed_state.h"
#include "hooks/vulkan/shaders/render_pass_info.h"
#include "hooks/vulkan/words/formats.h"
#include "tracker/base/text_util.h"
#include "tracker/rules/events/null_argument.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

class Parts {
 public:
  Parts(VkCall& call, const VkGraphicsPipelineCreateInfo& info) : call_(call), info_(info) {}

  void CheckStages() const {
    VkShaderStageFlags stages = 0;
    for (uint32_t i = 0; i < info_.stageCount; ++i) {
      const VkShaderStageFlags stage = info_.pStages[i].stage;
      if ((stages & stage) != 0)
        Report(Fault::kPipelineStages, "two shaders of one stage", "stage-06897");
      stages |= stage;
    }
    // The bit of mesh shaders has the same value in both extensions.
    constexpr VkShaderStageFlags kFirst = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_MESH_BIT_NV;
    if ((stages & kFirst) == 0 && info_.stageCount != 0)
      Report(Fault::kPipelineStages, "neither a vertex shader nor a mesh shader", "stage-02096");
    if ((stages & VK_SHADER_STAGE_VERTEX_BIT) != 0 && info_.pVertexInputState == nullptr &&
        !IsDynamic(info_, {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT}))
      Null("pVertexInputState", "pStages-02097");
  }

  // State is optional if commands set all of it (VK_EXT_extended_dynamic_state3).
  void CheckPointers(const ReadState& read) const {
    if (info_.pRasterizationState == nullptr &&
        !AllDynamic({VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT,
                     VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, VK_DYNAMIC_STATE_POLYGON_MODE_EXT,
                     VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_FRONT_FACE,
                     VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, VK_DYNAMIC_STATE_DEPTH_BIAS,
                     VK_DYNAMIC_STATE_LINE_WIDTH}))
      Null("pRasterizationState", "pRasterizationState-06601");
    if (!read.rasterization) return;
    if (info_.pMultisampleState == nullptr &&
        !AllDynamic({VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT,
                     VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT}))
      Null("pMultisampleState", "pMultisampleState-09026");
    if (read.depth && info_.pDepthStencilState == nullptr && !HasExtendedState() &&
        !AllDynamic({VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
                     VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
                     VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_OP,
                     VK_DYNAMIC_STATE_DEPTH_BOUNDS}))
      Null("pDepthStencilState", InPass() ? "renderPass-09028" : "renderPass-09033");
    if (read.color && info_.pColorBlendState == nullptr && HasColors() &&
        !AllDynamic({VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, VK_DYNAMIC_STATE_LOGIC_OP_EXT,
                     VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
                     VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
                     VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, VK_DYNAMIC_STATE_BLEND_CONSTANTS}))
      Null("pColorBlendState", InPass() ? "renderPass-09030" : "renderPass-09037");
    if (info_.pViewportState != nullptr) return CheckViewports(*info_.pViewportState);
    if (!AllDynamic({VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT}))
      Null("pViewportState", "rasterizerDiscardEnable-09024");
  }

  void CheckColors() const {
    const VkPipelineColorBlendStateCreateInfo* blending = info_.pColorBlendState;
    if (blending == nullptr || IsDynamic(info_, {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
                                                 VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
                                                 VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT,
                                                 VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT}))
      return;
    const std::vector<VkFormat> formats = ColorFormats();
    if (formats.empty()) return;
    if (blending->attachmentCount != formats.size()) {
      return Report(Fault::kPipelineBlending,
                    absl::StrCat("blending of ", blending->attachmentCount,
                                 " attachments, but the subpass has ",
                                 CountText(formats.size(), "color attachment")),
                    InPass() ? "renderPass-07609" : "renderPass-06055");
    }
    for (size_t i = 0; blending->pAttachments != nullptr && i < formats.size(); ++i) {
      if (blending->pAttachments[i].blendEnable == VK_FALSE || CanBlend(formats[i])) [[likely]]
        continue;
      Report(Fault::kNoBlending, absl::StrCat(i, " of ", FormatName(formats[i])),
             InPass() ? "renderPass-06041" : "renderPass-06062");
    }
  }

 private:
  bool InPass() const { return info_.renderPass != VK_NULL_HANDLE; }
  bool AllDynamic(std::initializer_list<VkDynamicState> states) const {
    return std::all_of(states.begin(), states.end(),
                       [&](VkDynamicState state) { return IsDynamic(info_, {state}); });
  }

  // VK_EXT_extended_dynamic_state3 is enabled. Khronos validation then accepts pipelines without
  // depth state.
  bool HasExtendedState() const {
    return GPUSAN_VK_NEXT(&call_.device(), vkCmdSetPolygonModeEXT) != nullptr;
  }
  // Some color attachment is used.
  bool HasColors() const {
    const std::vector<VkFormat> formats = ColorFormats();
    return std::any_of(formats.begin(), formats.end(),
                       [](VkFormat format) { return format != VK_FORMAT_UNDEFINED; });
  }

  void CheckViewports(const VkPipelineViewportStateCreateInfo& state) const {
    const bool viewports = IsDynamic(info_, {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT});
    const bool scissors = IsDynamic(info_, {VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT});
    const auto report = [&](std::string text, const char* vuid) {
      ReportSync(call_, *call_.device().object, Fault::kPipelineViewports, std::move(text),
                 absl::StrCat("VkPipelineViewportStateCreateInfo-", vuid));
    };
    if (viewports != (state.viewportCount == 0)) {
      report(viewports ? absl::StrCat("the viewportCount ", state.viewportCount,
                                      ", although commands set it")
                       : "the viewportCount 0",
             "viewportCount-04135");
    } else if (scissors != (state.scissorCount == 0)) {
      report(scissors ? absl::StrCat("the scissorCount ", state.scissorCount,
                                     ", although commands set it")
                      : "the scissorCount 0",
             "scissorCount-04136");
    } else if (!viewports && !scissors && state.viewportCount != state.scissorCount) {
      report(absl::StrCat(state.viewportCount, " viewports and ", state.scissorCount, " scissors"),
             "scissorCount-04134");
    }
    if (!viewports && state.pViewports == nullptr && state.viewportCount != 0 &&
        !IsDynamic(info_, {VK_DYNAMIC_STATE_VIEWPORT}))
      Null("pViewportState->pViewports", "pDynamicStates-04130");
    if (!scissors && state.pScissors == nullptr && state.scissorCount != 0 &&
        !IsDynamic(info_, {VK_DYNAMIC_STATE_SCISSOR}))
      Null("pViewportState->pScissors", "pDynamicStates-04131");
  }

  // The formats of the color attachments, VK_FORMAT_UNDEFINED for unused ones; empty: not known.
  std::vector<VkFormat> ColorFormats() const {
    std::vector<VkFormat> formats;
    if (!InPass()) {
      const auto* given = FindInChain<VkPipelineRenderingCreateInfo>(
          info_.pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
      if (given != nullptr && given->pColorAttachmentFormats != nullptr) {
        formats.assign(given->pColorAttachmentFormats,
                       given->pColorAttachmentFormats + given->colorAttachmentCount);
      }
      return formats;
    }
    const auto* pass =
        FindPart<RenderPassState>(call_, ObjectKind::kRenderPass, HandleOf(info_.renderPass));
    if (pass == nullptr || info_.subpass >= pass->pass_info->subpasses.size()) return formats;
    const RenderPassInfo::Subpass& subpass = pass->pass_info->subpasses[info_.subpass];
    formats.resize(subpass.colors, VK_FORMAT_UNDEFINED);
    for (const RenderPassInfo::Use& use : subpass.uses) {
      if (use.color_slot < formats.size())
        formats[use.color_slot] = pass->pass_info->attachments[use.attachment].format;
    }
    return formats;
  }

  // Returns false if no image of the format can be blended.
  bool CanBlend(VkFormat format) const {
    const Device& device = call_.device();
    const auto query = GPUSAN_VK_NEXT(device.instance, vkGetPhysicalDeviceFormatProperties);
    // Modifiers may have features of their own.
    if (format == VK_FORMAT_UNDEFINED || query == nullptr ||
        GPUSAN_VK_NEXT(&device, vkGetImageDrmFormatModifierPropertiesEXT) != nullptr)
      return true;
    VkFormatProperties properties = {};
    query(device.physical, format, &properties);
    return ((properties.linearTilingFeatures | properties.optimalTilingFeatures) &
            VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT) != 0;
  }

  void Report(Fault fault, std::string text, const char* vuid) const {
    ReportSync(call_, *call_.device().object, fault, std::move(text),
               absl::StrCat("VkGraphicsPipelineCreateInfo-", vuid));
  }
  void Null(const char* name, const char* vuid) const {
    rules::OnNullArgument({"VkGraphicsPipelineCreateInfo", name, false,
                           absl::StrCat("VUID-VkGraphicsPipelineCreateInfo-", vuid).c_str()},
                          call_);
  }

  VkCall& call_;
  const VkGraphicsPipelineCreateInfo& info_;
};

}  // namespace

void CheckPipelineParts(VkCall& call, const VkGraphicsPipelineCreateInfo& info,
                        const ReadState& read) {
  const Parts parts(call, info);
  parts.CheckStages();
  parts.CheckPointers(read);
  if (read.rasterization && read.color) parts.CheckColors();
}

}  // namespace gpusan::vulkan
