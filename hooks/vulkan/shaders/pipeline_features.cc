// Checks of the state of graphics pipelines against the features of the device, and of the
// constants of pipelines.
#include "hooks/vulkan/shaders/pipeline_features.h"

#include <cstring>
#include <initializer_list>
#include <string>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/call/state_features.h"
#include "hooks/vulkan/objects/device_faults.h"
#include "hooks/vulkan/objects/sync_objects.h"
#include "hooks/vulkan/shaders/needed_state.h"

namespace gpusan::vulkan {
namespace {

class Checker {
 public:
  Checker(VkCall& call, const VkGraphicsPipelineCreateInfo& info)
      : call_(call), info_(info), core_(call.device().features.core) {}

  void CheckStages() const {
    for (uint32_t i = 0; i < info_.stageCount; ++i) {
      const VkShaderStageFlags stage = info_.pStages[i].stage;
      Need(stage == VK_SHADER_STAGE_GEOMETRY_BIT, core_.geometryShader, "a geometry shader",
           "geometryShader", "VkPipelineShaderStageCreateInfo-stage-00704");
      Need((stage & (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
                     VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)) != 0,
           core_.tessellationShader, "a tessellation shader", "tessellationShader",
           "VkPipelineShaderStageCreateInfo-stage-00705");
    }
  }

  void CheckRasterization(const VkPipelineRasterizationStateCreateInfo& state) const {
    Need(state.depthClampEnable && !Dynamic({VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT}),
         core_.depthClamp, "depthClampEnable", "depthClamp",
         "VkPipelineRasterizationStateCreateInfo-depthClampEnable-00782");
    Need(
        (state.polygonMode == VK_POLYGON_MODE_LINE || state.polygonMode == VK_POLYGON_MODE_POINT) &&
            !Dynamic({VK_DYNAMIC_STATE_POLYGON_MODE_EXT}),
        core_.fillModeNonSolid, "a polygonMode other than VK_POLYGON_MODE_FILL", "fillModeNonSolid",
        "VkPipelineRasterizationStateCreateInfo-polygonMode-01507");
    // A width of 0 is what is left of zero initialization, and harmless without lines.
    if (state.lineWidth != 1 && (state.lineWidth != 0 || DrawsLines(state)) &&
        !Dynamic({VK_DYNAMIC_STATE_LINE_WIDTH})) {
      Need(true, core_.wideLines, absl::StrCat("the lineWidth ", state.lineWidth), "wideLines",
           "VkGraphicsPipelineCreateInfo-pDynamicStates-00749");
    }
    Need(state.depthBiasEnable && state.depthBiasClamp != 0 &&
             !Dynamic({VK_DYNAMIC_STATE_DEPTH_BIAS, VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE}),
         core_.depthBiasClamp, "a depthBiasClamp other than 0", "depthBiasClamp",
         "VkGraphicsPipelineCreateInfo-pDynamicStates-00754");
  }

  void CheckViewports(const VkPipelineViewportStateCreateInfo& state) const {
    Need(state.viewportCount > 1 && !Dynamic({VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT}),
         core_.multiViewport, "a viewportCount above 1", "multiViewport",
         "VkPipelineViewportStateCreateInfo-viewportCount-01216");
    Need(state.scissorCount > 1 && !Dynamic({VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT}),
         core_.multiViewport, "a scissorCount above 1", "multiViewport",
         "VkPipelineViewportStateCreateInfo-scissorCount-01217");
  }

  void CheckSamples(const VkPipelineMultisampleStateCreateInfo& state) const {
    Need(state.sampleShadingEnable, core_.sampleRateShading, "sampleShadingEnable",
         "sampleRateShading", "VkPipelineMultisampleStateCreateInfo-sampleShadingEnable-00784");
    Need(state.alphaToOneEnable && !Dynamic({VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT}),
         core_.alphaToOne, "alphaToOneEnable", "alphaToOne",
         "VkPipelineMultisampleStateCreateInfo-alphaToOneEnable-00785");
  }

  void CheckDepth(const VkPipelineDepthStencilStateCreateInfo& state) const {
    Need(state.depthBoundsTestEnable && !Dynamic({VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE}),
         core_.depthBounds, "depthBoundsTestEnable", "depthBounds",
         "VkPipelineDepthStencilStateCreateInfo-depthBoundsTestEnable-00598");
  }

  void CheckBlending(const VkPipelineColorBlendStateCreateInfo& state) const {
    Need(state.logicOpEnable && !Dynamic({VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT}), core_.logicOp,
         "logicOpEnable", "logicOp", "VkPipelineColorBlendStateCreateInfo-logicOpEnable-00606");
    if (state.pAttachments == nullptr ||
        Dynamic({VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
                 VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT}))
      return;
    bool differs = false;
    for (uint32_t i = 0; i < state.attachmentCount; ++i) {
      const VkPipelineColorBlendAttachmentState& one = state.pAttachments[i];
      differs |= std::memcmp(&one, &state.pAttachments[0], sizeof(one)) != 0;
      CheckFactors(one);
    }
    Need(differs, core_.independentBlend, "elements of pAttachments that differ",
         "independentBlend", "VkPipelineColorBlendStateCreateInfo-pAttachments-00605");
  }

  void CheckDynamicState() const {
    const uint64_t refused = call_.device().features.refused_states;
    const VkPipelineDynamicStateCreateInfo* dynamic = info_.pDynamicState;
    if (refused == 0 || dynamic == nullptr || dynamic->pDynamicStates == nullptr) return;
    for (uint32_t i = 0; i < dynamic->dynamicStateCount; ++i) {
      const uint64_t state = BitOfState(dynamic->pDynamicStates[i]) & refused;
      if (state == 0) [[likely]]
        continue;
      const StateFeature feature = FeatureOfState(state);
      return ReportFeature(call_, absl::StrCat("element ", i, " of pDynamicStates"), feature.name,
                           feature.pipeline);
    }
  }

 private:
  // 0: not one of kFeatureStates.
  static uint64_t BitOfState(VkDynamicState state) {
    switch (static_cast<uint32_t>(state)) {
#define GPUSAN_STATE(name, value, command, usage) \
  case value:                                     \
    return kSets##name & kFeatureStates;
#include "hooks/vulkan/call/dynamic_states.def"
#undef GPUSAN_STATE
      default:
        return 0;
    }
  }
  bool Dynamic(std::initializer_list<VkDynamicState> states) const {
    return IsDynamic(info_, states);
  }
  // Returns whether the pipeline draws lines, as far as its fixed state tells.
  bool DrawsLines(const VkPipelineRasterizationStateCreateInfo& state) const {
    if (state.polygonMode == VK_POLYGON_MODE_LINE) return true;
    if (info_.pInputAssemblyState == nullptr) return false;
    switch (info_.pInputAssemblyState->topology) {
      case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
      case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
      case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
      case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        return true;
      default:
        return false;
    }
  }
  void CheckFactors(const VkPipelineColorBlendAttachmentState& blending) const {
    struct Member {
      VkBlendFactor factor;
      const char *name, *vuid;
    };
    for (const Member& member :
         {Member{blending.srcColorBlendFactor, "srcColorBlendFactor", "00608"},
          Member{blending.dstColorBlendFactor, "dstColorBlendFactor", "00609"},
          Member{blending.srcAlphaBlendFactor, "srcAlphaBlendFactor", "00610"},
          Member{blending.dstAlphaBlendFactor, "dstAlphaBlendFactor", "00611"}}) {
      if (core_.dualSrcBlend || member.factor < VK_BLEND_FACTOR_SRC1_COLOR ||
          member.factor > VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA) [[likely]]
        continue;
      ReportFeature(
          call_, absl::StrCat("the second source as ", member.name), "dualSrcBlend",
          absl::StrCat("VkPipelineColorBlendAttachmentState-", member.name, "-", member.vuid));
    }
  }
  void Need(bool uses, VkBool32 enabled, std::string_view given, const char* feature,
            const char* vuid) const {
    if (uses && !enabled) [[unlikely]]
      ReportFeature(call_, given, feature, vuid);
  }

  VkCall& call_;
  const VkGraphicsPipelineCreateInfo& info_;
  const VkPhysicalDeviceFeatures& core_;
};

}  // namespace

void CheckPipelineFeatures(VkCall& call, const VkGraphicsPipelineCreateInfo& info,
                           const ReadState& read) {
  const Checker checker(call, info);
  checker.CheckStages();
  checker.CheckDynamicState();
  if (info.pRasterizationState != nullptr) checker.CheckRasterization(*info.pRasterizationState);
  if (!read.rasterization) return;
  if (info.pViewportState != nullptr) checker.CheckViewports(*info.pViewportState);
  if (info.pMultisampleState != nullptr) checker.CheckSamples(*info.pMultisampleState);
  if (read.depth && info.pDepthStencilState != nullptr)
    checker.CheckDepth(*info.pDepthStencilState);
  if (read.color && info.pColorBlendState != nullptr) checker.CheckBlending(*info.pColorBlendState);
}

void CheckSpecialization(VkCall& call, const VkSpecializationInfo& info,
                         const ShaderModule* module) {
  for (uint32_t i = 0; info.pMapEntries != nullptr && i < info.mapEntryCount; ++i) {
    const VkSpecializationMapEntry& entry = info.pMapEntries[i];
    for (size_t j = 0; module != nullptr && j < module->constants.size(); ++j) {
      const ShaderModule::Constant& declared = module->constants[j];
      if (declared.id != entry.constantID || declared.bytes == entry.size) [[likely]]
        continue;
      ReportSync(
          call, *call.device().object, rules::SyncStateUse::Fault::kConstantSize,
          absl::StrCat("the specialization constant ", entry.constantID, " with the size ",
                       entry.size, ", but the shader declares it with ", declared.bytes, " B"),
          "VkSpecializationMapEntry-constantID-00776");
      break;
    }
    const bool begins = entry.offset < info.dataSize;
    if (begins && entry.size <= info.dataSize - entry.offset) [[likely]]
      continue;
    return ReportSync(
        call, *call.device().object, rules::SyncStateUse::Fault::kConstantData,
        absl::StrCat("the specialization constant ", entry.constantID, " of ", entry.size,
                     " B at offset ", entry.offset, " of ", info.dataSize, " B of data"),
        begins ? "VkSpecializationInfo-pMapEntries-00774" : "VkSpecializationInfo-offset-00773");
  }
}

}  // namespace gpusan::vulkan
