#include "hooks/vulkan/words/stage_features.h"

#include <vulkan/vulkan_core.h>

namespace gpusan::vulkan {

const StageFeature* FindStageFeature(uint64_t lacking) {
  static constexpr StageFeature kFeatures[] = {
      {VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT, "04090", "03929"},
      {VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT |
           VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT,
       "04091", "03930"},
      {VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT, "04092", "03931"},
      {VK_PIPELINE_STAGE_2_FRAGMENT_DENSITY_PROCESS_BIT_EXT, "04093", "03932"},
      {VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT, "04094", "03933"},
      {VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_NV, "04095", "03934"},
      {VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_NV, "04096", "03935"},
      {VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, "07318", "07316"},
      {VK_PIPELINE_STAGE_2_SUBPASS_SHADING_BIT_HUAWEI, nullptr, "04957"},
      {VK_PIPELINE_STAGE_2_INVOCATION_MASK_BIT_HUAWEI, nullptr, "04995"},
      {VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR, "07949", "07946"},
      {VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR, "10754", "10751"},
      {VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR, nullptr, "10752"},
      {VK_PIPELINE_STAGE_2_MICROMAP_BUILD_BIT_EXT, nullptr, "11541"}};
  for (const StageFeature& feature : kFeatures) {
    if ((lacking & feature.stages) != 0) return &feature;
  }
  return nullptr;
}

}  // namespace gpusan::vulkan
