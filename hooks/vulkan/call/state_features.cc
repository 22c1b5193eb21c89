// The features that a device needs for dynamic state.
#include "hooks/vulkan/call/state_features.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/call/call.h"

namespace gpusan::vulkan {
namespace {

using Features3 = VkPhysicalDeviceExtendedDynamicState3FeaturesEXT;

// In the order of the members, which is that of the valid usages of pipelines.
struct Feature3 {
  uint64_t state;
  size_t offset;  // in Features3
  const char* name;
};
constexpr Feature3 kFeatures3[] = {
#define GPUSAN_FEATURE(state, member)                                 \
  {                                                                   \
    kSets##state, offsetof(Features3, extendedDynamicState3##member), \
        "extendedDynamicState3" #member                               \
  }
    GPUSAN_FEATURE(DomainOrigin, TessellationDomainOrigin),
    GPUSAN_FEATURE(DepthClamp, DepthClampEnable),
    GPUSAN_FEATURE(PolygonMode, PolygonMode),
    GPUSAN_FEATURE(Samples, RasterizationSamples),
    GPUSAN_FEATURE(SampleMask, SampleMask),
    GPUSAN_FEATURE(AlphaToCoverage, AlphaToCoverageEnable),
    GPUSAN_FEATURE(AlphaToOne, AlphaToOneEnable),
    GPUSAN_FEATURE(LogicOpEnable, LogicOpEnable),
    GPUSAN_FEATURE(BlendEnable, ColorBlendEnable),
    GPUSAN_FEATURE(BlendEquation, ColorBlendEquation),
    GPUSAN_FEATURE(WriteMask, ColorWriteMask),
    GPUSAN_FEATURE(Stream, RasterizationStream),
    GPUSAN_FEATURE(Conservative, ConservativeRasterizationMode),
    GPUSAN_FEATURE(Overestimation, ExtraPrimitiveOverestimationSize),
    GPUSAN_FEATURE(DepthClip, DepthClipEnable),
    GPUSAN_FEATURE(LocationsEnable, SampleLocationsEnable),
    GPUSAN_FEATURE(BlendAdvanced, ColorBlendAdvanced),
    GPUSAN_FEATURE(Provoking, ProvokingVertexMode),
    GPUSAN_FEATURE(LineMode, LineRasterizationMode),
    GPUSAN_FEATURE(StippleEnable, LineStippleEnable),
    GPUSAN_FEATURE(ClipControl, DepthClipNegativeOneToOne),
    GPUSAN_FEATURE(WScaling, ViewportWScalingEnable),
    GPUSAN_FEATURE(Swizzle, ViewportSwizzle),
    GPUSAN_FEATURE(CoverageToColor, CoverageToColorEnable),
    GPUSAN_FEATURE(CoverageModulation, CoverageModulationMode),
    GPUSAN_FEATURE(CoverageReduction, CoverageReductionMode),
    GPUSAN_FEATURE(Representative, RepresentativeFragmentTestEnable),
    GPUSAN_FEATURE(RateImage, ShadingRateImageEnable),
#undef GPUSAN_FEATURE
};

// VkPhysicalDeviceShaderObjectFeaturesEXT, which the headers may lack.
struct ShaderObjectFeatures {
  VkStructureType type;
  void* next;
  VkBool32 enabled;
};
constexpr auto kShaderObjectFeatures = static_cast<VkStructureType>(1000482000);

}  // namespace

uint64_t RefusedStates(const VkDeviceCreateInfo& info, uint32_t api_version) {
  const auto* shaders = FindInChain<ShaderObjectFeatures>(info.pNext, kShaderObjectFeatures);
  if (shaders != nullptr && shaders->enabled) return 0;
  uint64_t refused = 0;
  const auto* of_1 = FindInChain<VkPhysicalDeviceExtendedDynamicStateFeaturesEXT>(
      info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT);
  const auto* of_2 = FindInChain<VkPhysicalDeviceExtendedDynamicState2FeaturesEXT>(
      info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT);
  const auto* of_3 = FindInChain<Features3>(
      info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT);
  const bool is_core = api_version >= VK_API_VERSION_1_3;
  if (!is_core && (of_1 == nullptr || !of_1->extendedDynamicState)) refused |= kStates1;
  if (!is_core && (of_2 == nullptr || !of_2->extendedDynamicState2)) refused |= kStates2;
  if (of_2 == nullptr || !of_2->extendedDynamicState2LogicOp) refused |= kSetsLogicOp;
  if (of_2 == nullptr || !of_2->extendedDynamicState2PatchControlPoints)
    refused |= kSetsPatchPoints;
  for (const Feature3& feature : kFeatures3) {
    const auto* member = reinterpret_cast<const std::byte*>(of_3) + feature.offset;
    if (of_3 == nullptr || !*reinterpret_cast<const VkBool32*>(member)) refused |= feature.state;
  }
  return refused;
}

StateFeature FeatureOfState(uint64_t state) {
  constexpr const char* kPipeline = "VkGraphicsPipelineCreateInfo-pDynamicStates-";
  if ((state & kStates1) != 0)
    return {"extendedDynamicState", "None-08971", absl::StrCat(kPipeline, "03378")};
  if ((state & kStates2) != 0)
    return {"extendedDynamicState2", "None-08970", absl::StrCat(kPipeline, "04868")};
  if (state == kSetsLogicOp)
    return {"extendedDynamicState2LogicOp", "None-09422", absl::StrCat(kPipeline, "04869")};
  if (state == kSetsPatchPoints)
    return {"extendedDynamicState2PatchControlPoints", "None-09422",
            absl::StrCat(kPipeline, "04870")};
  for (const Feature3& feature : kFeatures3) {
    if (feature.state != state) continue;
    constexpr size_t kFirst = offsetof(Features3, extendedDynamicState3TessellationDomainOrigin);
    const size_t number = 7370 + (feature.offset - kFirst) / sizeof(VkBool32);
    return {feature.name, "None-09423",
            absl::StrCat("VkGraphicsPipelineCreateInfo-", feature.name, "-0", number)};
  }
  return {"of the state", "", ""};
}

}  // namespace gpusan::vulkan
