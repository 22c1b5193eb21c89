// The stages of shaders: one row for each execution model of SPIR-V.
#pragma once

#include <vulkan/vulkan_core.h>
#include <spirv/unified1/spirv.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace gpusan::vulkan {

struct ShaderStage {
  uint32_t model;  // spv::ExecutionModel
  VkShaderStageFlagBits bit;
  VkPipelineStageFlags2 pipeline_stage;
  const char* name;  // in findings
};

inline constexpr ShaderStage kShaderStages[] = {
    {spv::ExecutionModelVertex, VK_SHADER_STAGE_VERTEX_BIT, VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT,
     "vertex shader"},
    {spv::ExecutionModelTessellationControl, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
     VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT, "tessellation control shader"},
    {spv::ExecutionModelTessellationEvaluation, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
     VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT, "tessellation evaluation shader"},
    {spv::ExecutionModelGeometry, VK_SHADER_STAGE_GEOMETRY_BIT,
     VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT, "geometry shader"},
    {spv::ExecutionModelFragment, VK_SHADER_STAGE_FRAGMENT_BIT,
     VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, "fragment shader"},
    {spv::ExecutionModelGLCompute, VK_SHADER_STAGE_COMPUTE_BIT,
     VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, "compute shader"},
    {spv::ExecutionModelTaskNV, VK_SHADER_STAGE_TASK_BIT_EXT,
     VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT, "task shader"},
    {spv::ExecutionModelMeshNV, VK_SHADER_STAGE_MESH_BIT_EXT,
     VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT, "mesh shader"},
    // Of SPV_EXT_mesh_shader; the SPIR-V headers of Ubuntu 22.04 lack the names.
    {5364, VK_SHADER_STAGE_TASK_BIT_EXT, VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT, "task shader"},
    {5365, VK_SHADER_STAGE_MESH_BIT_EXT, VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT, "mesh shader"},
    {spv::ExecutionModelRayGenerationKHR, VK_SHADER_STAGE_RAYGEN_BIT_KHR,
     VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR, "shader"},
    {spv::ExecutionModelIntersectionKHR, VK_SHADER_STAGE_INTERSECTION_BIT_KHR,
     VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR, "shader"},
    {spv::ExecutionModelAnyHitKHR, VK_SHADER_STAGE_ANY_HIT_BIT_KHR,
     VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR, "shader"},
    {spv::ExecutionModelClosestHitKHR, VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR,
     VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR, "shader"},
    {spv::ExecutionModelMissKHR, VK_SHADER_STAGE_MISS_BIT_KHR,
     VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR, "shader"},
    {spv::ExecutionModelCallableKHR, VK_SHADER_STAGE_CALLABLE_BIT_KHR,
     VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR, "shader"}};

// Returns the row of a stage. If it is unknown, returns a row without a stage of pipelines.
inline const ShaderStage& RowOf(VkShaderStageFlagBits stage) {
  static constexpr ShaderStage kUnknown = {~uint32_t{0}, {}, 0, "shader"};
  const auto* row = std::ranges::find(kShaderStages, stage, &ShaderStage::bit);
  return row != std::end(kShaderStages) ? *row : kUnknown;
}

}  // namespace gpusan::vulkan
