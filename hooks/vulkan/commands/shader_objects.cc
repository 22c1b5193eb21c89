// Shader objects: their lifetime, and the stages that they are bound to.
#include "hooks/vulkan/commands/shader_objects.h"

#include "hooks/vulkan/objects/objects.h"

namespace gpusan::vulkan {
namespace {

// Records that the command buffer uses the shader.
void Hold(Recorder& recorder, uint64_t shader) {
  Object* object =
      UseHandle(recorder.call(), ObjectKind::kShaderObject, HandleOf(shader), "pShaders[]");
  if (object != nullptr && object->live()) recorder.Hold(static_cast<PlainObject&>(*object));
}

}  // namespace

void CreateShaders::After(VkCall& call, VkResult, VkDevice, uint32_t count, const void*,
                          const VkAllocationCallbacks*, uint64_t* shaders) {
  // Also after a failure each element is a shader or VK_NULL_HANDLE.
  for (uint32_t i = 0; shaders != nullptr && i < count; ++i) {
    if (shaders[i] == 0) continue;
    PlainObject* object = KeepPlain(call, ObjectKind::kShaderObject, HandleOf(shaders[i]));
    if (object->part == nullptr) object->part = PlainHeldState::New();
  }
}

void DestroyShader::Before(VkCall& call, VkDevice, uint64_t shader, const VkAllocationCallbacks*) {
  DestroyHeldObject(call, ObjectKind::kShaderObject, HandleOf(shader));
}

void CmdBindShaders::Before(VkCall& call, VkCommandBuffer commands, uint32_t count,
                            const void* stages, const void* shaders) {
  Recorder recorder(call, commands);
  if (!recorder) return;
  recorder.state().unseen_writes = true;
  Bindings& bindings = recorder.state().bindings;
  const auto* stage = static_cast<const VkShaderStageFlagBits*>(stages);
  const auto* shader = static_cast<const uint64_t*>(shaders);
  for (uint32_t i = 0; stage != nullptr && i < count; ++i) {
    const bool bound = shader != nullptr && shader[i] != 0;
    if (bound) Hold(recorder, shader[i]);
    const bool compute = stage[i] == VK_SHADER_STAGE_COMPUTE_BIT;
    BindPoint& point = compute ? bindings.compute : bindings.graphics;
    point.pipeline = WeakRef<PlainObject>();
    point.plain_at = point.needed_sets = 0;
    point.occupied = !compute || bound;
    if (compute) continue;
    bindings.named_stages |= stage[i];
    if (bound) {
      bindings.shader_stages |= stage[i];
    } else {
      bindings.shader_stages &= ~stage[i];
    }
  }
}

}  // namespace gpusan::vulkan
