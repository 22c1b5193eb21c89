// Shaders and pipelines: which descriptors and attachments they use.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "hooks/vulkan/objects/descriptors.h"
#include "hooks/vulkan/shaders/bound_state.h"
#include "hooks/vulkan/shaders/spirv_reader.h"

namespace gpusan::vulkan {

struct ShaderModuleState final : Pooled<ShaderModuleState> {
  std::shared_ptr<const ShaderModule> module;
  void Reset() { module.reset(); }
};

struct PipelineLayoutState final : Pooled<PipelineLayoutState> {
  std::vector<std::shared_ptr<const SetLayout>> sets;
  void Reset() { sets.clear(); }
};

// A descriptor binding that a stage of a pipeline uses.
struct PipelineBinding : ShaderBinding {
  uint64_t stages = 0;  // VkPipelineStageFlagBits2
};

struct PipelineState final : Pooled<PipelineState, HeldState> {
  // Some stage could not be read: what it writes is not known.
  bool incomplete = false;
  std::vector<PipelineBinding> bindings;
  // Of graphics pipelines: which vertex buffers are read.
  uint32_t vertex_bindings = 0;  // bits
  // ... and what its draws may do with their attachments.
  AttachmentUses attachments = 0;
  // Uses among them only where the command buffer has enabled it.
  bool dynamic_depth_test = false, dynamic_depth_write = false, dynamic_stencil_test = false;
  void Reset();

  // What a draw with it does with its attachments.
  AttachmentUses UsesOf(const Bindings& bindings) const;
};

struct CreateShaderModule {
  void After(VkCall& call, VkResult code, VkDevice device, const VkShaderModuleCreateInfo* info,
             const VkAllocationCallbacks* allocator, VkShaderModule* module);
};
using DestroyShaderModule = DestroyPlain<ObjectKind::kProgram, VkShaderModule>;
struct CreatePipelineLayout {
  void After(VkCall& call, VkResult code, VkDevice device, const VkPipelineLayoutCreateInfo* info,
             const VkAllocationCallbacks* allocator, VkPipelineLayout* layout);
};
using DestroyPipelineLayout = DestroyPlain<ObjectKind::kPipelineLayout, VkPipelineLayout>;
struct CreateComputePipelines {
  void After(VkCall& call, VkResult code, VkDevice device, VkPipelineCache cache, uint32_t count,
             const VkComputePipelineCreateInfo* infos, const VkAllocationCallbacks* allocator,
             VkPipeline* pipelines);
};
struct CreateGraphicsPipelines {
  void After(VkCall& call, VkResult code, VkDevice device, VkPipelineCache cache, uint32_t count,
             const VkGraphicsPipelineCreateInfo* infos, const VkAllocationCallbacks* allocator,
             VkPipeline* pipelines);
};
using DestroyPipeline = DestroyHeld<ObjectKind::kPipeline, VkPipeline>;

}  // namespace gpusan::vulkan
