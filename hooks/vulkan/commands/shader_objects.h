// Shader objects, which replace pipelines. What they access is unknown.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"

namespace gpusan::vulkan {

struct ShaderState final : Pooled<ShaderState, HeldState> {
  // Hashes of the descriptor set layouts and of the push constant ranges with which the shader was
  // created. Different hashes mean different definitions. 0: unknown.
  uint64_t sets = 0, pushes = 0;
  bool Equals(const ShaderState& other) const {
    return sets == other.sets && pushes == other.pushes;
  }
  void Reset() {
    sets = pushes = 0;
    used.Clear();
  }
};

struct CreateShaders {
  void After(VkCall& call, VkResult code, VkDevice device, uint32_t count, const void* infos,
             const VkAllocationCallbacks* allocator, uint64_t* shaders);
};
struct DestroyShader {
  void Before(VkCall& call, VkDevice device, uint64_t shader,
              const VkAllocationCallbacks* allocator);
};
// The command buffer refers to the shaders until it is reset.
struct CmdBindShaders {
  void Before(VkCall& call, VkCommandBuffer commands, uint32_t count, const void* stages,
              const void* shaders);
};

}  // namespace gpusan::vulkan
