// Reads the features that a program enables. The structure of a feature is in the chain, or the
// feature is a member of the structure of a later Vulkan version.
#include "hooks/vulkan/call/features.h"

#include <string_view>

#include "hooks/vulkan/call/call.h"
#include "hooks/vulkan/call/dynamic_states.h"
#include "hooks/vulkan/call/state_features.h"

namespace gpusan::vulkan {
namespace {

bool HasExtension(const VkDeviceCreateInfo& info, std::string_view wanted) {
  for (uint32_t i = 0; info.ppEnabledExtensionNames != nullptr && i < info.enabledExtensionCount;
       ++i) {
    if (info.ppEnabledExtensionNames[i] != nullptr && info.ppEnabledExtensionNames[i] == wanted)
      return true;
  }
  return false;
}

// Whether the structure of the type is in the chain and enables the feature.
template <typename T>
bool Enables(const VkDeviceCreateInfo& info, VkStructureType type, VkBool32 T::*feature) {
  const T* found = FindInChain<T>(info.pNext, type);
  return found != nullptr && found->*feature != VK_FALSE;
}

// The same for a feature that became part of Vulkan 1.2, or 1.3: by its own structure, or by that
// of the version.
template <typename T>
bool Enables12(const VkDeviceCreateInfo& info, VkStructureType type, VkBool32 T::*feature,
               VkBool32 VkPhysicalDeviceVulkan12Features::*core) {
  return Enables(info, type, feature) ||
         Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, core);
}
template <typename T>
bool Enables13(const VkDeviceCreateInfo& info, VkStructureType type, VkBool32 T::*feature,
               VkBool32 VkPhysicalDeviceVulkan13Features::*core) {
  return Enables(info, type, feature) ||
         Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, core);
}

// VkPhysicalDeviceNestedCommandBufferFeaturesEXT, which the headers may lack.
struct NestedFeatures {
  VkStructureType type;
  void* next;
  VkBool32 nested, rendering, simultaneous;
};
constexpr auto kNestedFeatures = static_cast<VkStructureType>(1000451000);

VkPipelineStageFlags2 LackingStages(const VkDeviceCreateInfo& info,
                                    const VkPhysicalDeviceFeatures& core) {
  VkPipelineStageFlags2 stages = 0;
  const auto lack = [&](bool enabled, VkPipelineStageFlags2 needing) {
    if (!enabled) stages |= needing;
  };
  lack(core.geometryShader, VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT);
  lack(core.tessellationShader, VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT |
                                    VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
               &VkPhysicalDeviceConditionalRenderingFeaturesEXT::conditionalRendering),
       VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_FEATURES_EXT,
               &VkPhysicalDeviceFragmentDensityMapFeaturesEXT::fragmentDensityMap),
       VK_PIPELINE_STAGE_2_FRAGMENT_DENSITY_PROCESS_BIT_EXT);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
               &VkPhysicalDeviceTransformFeedbackFeaturesEXT::transformFeedback),
       VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
               &VkPhysicalDeviceRayTracingPipelineFeaturesKHR::rayTracingPipeline) ||
           HasExtension(info, VK_NV_RAY_TRACING_EXTENSION_NAME),
       VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
               &VkPhysicalDeviceAccelerationStructureFeaturesKHR::accelerationStructure) ||
           HasExtension(info, VK_NV_RAY_TRACING_EXTENSION_NAME),
       VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_MAINTENANCE_1_FEATURES_KHR,
               &VkPhysicalDeviceRayTracingMaintenance1FeaturesKHR::rayTracingMaintenance1),
       VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_FEATURES_EXT,
               &VkPhysicalDeviceOpacityMicromapFeaturesEXT::micromap) ||
           HasExtension(info, "VK_KHR_opacity_micromap"),
       VK_PIPELINE_STAGE_2_MICROMAP_BUILD_BIT_EXT);
  using Mesh = VkPhysicalDeviceMeshShaderFeaturesEXT;
  using OldMesh = VkPhysicalDeviceMeshShaderFeaturesNV;
  constexpr auto kMesh = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT;
  constexpr auto kOldMesh = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_NV;
  lack(Enables(info, kMesh, &Mesh::meshShader) || Enables(info, kOldMesh, &OldMesh::meshShader),
       VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_NV);
  lack(Enables(info, kMesh, &Mesh::taskShader) || Enables(info, kOldMesh, &OldMesh::taskShader),
       VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_NV);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
               &VkPhysicalDeviceFragmentShadingRateFeaturesKHR::attachmentFragmentShadingRate) ||
           Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADING_RATE_IMAGE_FEATURES_NV,
                   &VkPhysicalDeviceShadingRateImageFeaturesNV::shadingRateImage),
       VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBPASS_SHADING_FEATURES_HUAWEI,
               &VkPhysicalDeviceSubpassShadingFeaturesHUAWEI::subpassShading),
       VK_PIPELINE_STAGE_2_SUBPASS_SHADING_BIT_HUAWEI);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INVOCATION_MASK_FEATURES_HUAWEI,
               &VkPhysicalDeviceInvocationMaskFeaturesHUAWEI::invocationMask),
       VK_PIPELINE_STAGE_2_INVOCATION_MASK_BIT_HUAWEI);
  return stages;
}

// The structure of an extension with one feature, which the headers may lack.
struct OneFeature {
  VkStructureType type;
  void* next;
  VkBool32 enabled;
};
constexpr auto kZeroFeatures = static_cast<VkStructureType>(1000620000);
constexpr auto kMaintenance8Features = static_cast<VkStructureType>(1000574000);
constexpr auto kShaderObjectFeatures = static_cast<VkStructureType>(1000482000);
constexpr auto kLegacyVertexFeatures = static_cast<VkStructureType>(1000495000);
constexpr auto kFeedbackLoopFeatures = static_cast<VkStructureType>(1000524000);

// Features of later Vulkan versions in the structure of the version count as lacking: draws are
// then not checked for the state.
uint64_t AbsentStates(const VkDeviceCreateInfo& info, const VkPhysicalDeviceFeatures& core) {
  uint64_t states = 0;
  const auto lack = [&](bool enabled, uint64_t needing) {
    if (!enabled) states |= needing;
  };
  lack(core.depthBounds, kSetsBoundsTest);
  lack(core.depthClamp, kSetsDepthClamp);
  lack(core.alphaToOne, kSetsAlphaToOne);
  lack(core.logicOp, kSetsLogicOpEnable | kSetsLogicOp);
  lack(HasExtension(info, VK_EXT_SAMPLE_LOCATIONS_EXTENSION_NAME),
       kSetsLocationsEnable | kSetsLocations);
  lack(HasExtension(info, VK_EXT_CONSERVATIVE_RASTERIZATION_EXTENSION_NAME),
       kSetsConservative | kSetsOverestimation);
  lack(HasExtension(info, VK_EXT_DISCARD_RECTANGLES_EXTENSION_NAME),
       kSetsRectangleEnable | kSetsRectangle);
  lack(HasExtension(info, VK_EXT_PROVOKING_VERTEX_EXTENSION_NAME), kSetsProvoking);
  lack(HasExtension(info, VK_NV_CLIP_SPACE_W_SCALING_EXTENSION_NAME), kSetsWScaling);
  lack(HasExtension(info, VK_NV_VIEWPORT_SWIZZLE_EXTENSION_NAME), kSetsSwizzle);
  lack(HasExtension(info, VK_NV_FRAGMENT_COVERAGE_TO_COLOR_EXTENSION_NAME), kSetsCoverageToColor);
  lack(HasExtension(info, VK_NV_FRAMEBUFFER_MIXED_SAMPLES_EXTENSION_NAME), kSetsCoverageModulation);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
               &VkPhysicalDeviceTransformFeedbackFeaturesEXT::geometryStreams),
       kSetsStream);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT,
               &VkPhysicalDeviceDepthClipEnableFeaturesEXT::depthClipEnable),
       kSetsDepthClip);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT,
               &VkPhysicalDeviceDepthClipControlFeaturesEXT::depthClipControl),
       kSetsClipControl);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT,
               &VkPhysicalDeviceColorWriteEnableFeaturesEXT::colorWriteEnable),
       kSetsWriteEnable);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADING_RATE_IMAGE_FEATURES_NV,
               &VkPhysicalDeviceShadingRateImageFeaturesNV::shadingRateImage),
       kSetsRateImage);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
               &VkPhysicalDeviceFragmentShadingRateFeaturesKHR::pipelineFragmentShadingRate),
       kSetsRate);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_REPRESENTATIVE_FRAGMENT_TEST_FEATURES_NV,
               &VkPhysicalDeviceRepresentativeFragmentTestFeaturesNV::representativeFragmentTest),
       kSetsRepresentative);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COVERAGE_REDUCTION_MODE_FEATURES_NV,
               &VkPhysicalDeviceCoverageReductionModeFeaturesNV::coverageReductionMode),
       kSetsCoverageReduction);
  lack(Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXCLUSIVE_SCISSOR_FEATURES_NV,
               &VkPhysicalDeviceExclusiveScissorFeaturesNV::exclusiveScissor),
       kSetsExclusiveScissor);
  lack(Enables(info, kFeedbackLoopFeatures, &OneFeature::enabled), kSetsFeedbackLoop);
  using LineFeatures = VkPhysicalDeviceLineRasterizationFeaturesEXT;
  constexpr auto kLineFeatures = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT;
  lack(Enables(info, kLineFeatures, &LineFeatures::stippledRectangularLines) ||
           Enables(info, kLineFeatures, &LineFeatures::stippledBresenhamLines) ||
           Enables(info, kLineFeatures, &LineFeatures::stippledSmoothLines),
       kSetsLineMode | kSetsStippleEnable | kSetsStipple);
  return states;
}

}  // namespace

Features ReadFeatures(const VkDeviceCreateInfo& info, uint32_t api_version) {
  const auto* chained = FindInChain<VkPhysicalDeviceFeatures2>(
      info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  const VkPhysicalDeviceFeatures none = {};
  const VkPhysicalDeviceFeatures& core = chained != nullptr                 ? chained->features
                                         : info.pEnabledFeatures != nullptr ? *info.pEnabledFeatures
                                                                            : none;
  Features features;
  features.core = core;
  features.mirror_clamp = Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                  &VkPhysicalDeviceVulkan12Features::samplerMirrorClampToEdge) ||
                          HasExtension(info, VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME);
  using Core12 = VkPhysicalDeviceVulkan12Features;
  using Core13 = VkPhysicalDeviceVulkan13Features;
  features.synchronization2 = Enables13(
      info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
      &VkPhysicalDeviceSynchronization2Features::synchronization2, &Core13::synchronization2);
  features.host_query_reset =
      Enables12(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES,
                &VkPhysicalDeviceHostQueryResetFeatures::hostQueryReset, &Core12::hostQueryReset);
  features.maintenance4 =
      Enables13(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
                &VkPhysicalDeviceMaintenance4Features::maintenance4, &Core13::maintenance4);
  features.dynamic_rendering = Enables13(
      info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
      &VkPhysicalDeviceDynamicRenderingFeatures::dynamicRendering, &Core13::dynamicRendering);
  features.timeline_semaphores = Enables12(
      info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
      &VkPhysicalDeviceTimelineSemaphoreFeatures::timelineSemaphore, &Core12::timelineSemaphore);
  features.inherited_queries = core.inheritedQueries != VK_FALSE;
  features.precise_occlusion = core.occlusionQueryPrecise != VK_FALSE;
  using Primitives = VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT;
  constexpr auto kPrimitives =
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT;
  features.primitive_queries = Enables(info, kPrimitives, &Primitives::primitivesGeneratedQuery);
  features.primitive_streams =
      Enables(info, kPrimitives, &Primitives::primitivesGeneratedQueryWithNonZeroStreams);
  features.primitive_discards =
      Enables(info, kPrimitives, &Primitives::primitivesGeneratedQueryWithRasterizerDiscard);
  features.nested_commands = Enables(info, kNestedFeatures, &NestedFeatures::nested);
  features.nested_passes = Enables(info, kNestedFeatures, &NestedFeatures::rendering);
  features.nested_simultaneous = Enables(info, kNestedFeatures, &NestedFeatures::simultaneous);
  features.zero_initialized = Enables(info, kZeroFeatures, &OneFeature::enabled);
  features.shader_objects = Enables(info, kShaderObjectFeatures, &OneFeature::enabled);
  features.maintenance8 = Enables(info, kMaintenance8Features, &OneFeature::enabled);
  features.null_descriptors =
      Enables(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
              &VkPhysicalDeviceRobustness2FeaturesEXT::nullDescriptor);
  features.any_depths = HasExtension(info, VK_EXT_DEPTH_RANGE_UNRESTRICTED_EXTENSION_NAME);
  features.legacy_vertices = Enables(info, kLegacyVertexFeatures, &OneFeature::enabled);
  // With another feature enabled the extensions count, too.
  features.unbound_attributes = HasExtension(info, "VK_EXT_vertex_attribute_robustness") ||
                                HasExtension(info, "VK_KHR_maintenance9");
  features.flagged_addresses =
      Enables12(info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
                &VkPhysicalDeviceBufferDeviceAddressFeatures::bufferDeviceAddress,
                &Core12::bufferDeviceAddress);
  features.buffer_addresses =
      features.flagged_addresses || HasExtension(info, VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME);
  features.external_families = api_version >= VK_API_VERSION_1_1 ||
                               HasExtension(info, VK_KHR_EXTERNAL_MEMORY_EXTENSION_NAME);
  features.foreign_families = HasExtension(info, VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME);
  features.lacking_stages = LackingStages(info, core);
  features.absent_states = AbsentStates(info, core);
  features.refused_states = RefusedStates(info, api_version);
  return features;
}

}  // namespace gpusan::vulkan
