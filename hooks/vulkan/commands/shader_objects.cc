// Shader objects: their lifetime, what they are created with, and the stages that they are bound
// to.
#include "hooks/vulkan/commands/shader_objects.h"

#include <algorithm>

#include "hooks/vulkan/call/definition_hash.h"
#include "hooks/vulkan/call/later_vulkan.h"
#include "hooks/vulkan/memory/descriptors.h"
#include "hooks/vulkan/objects/objects.h"

namespace gpusan::vulkan {
namespace {

uint64_t HashSets(VkCall& call, const later::VkShaderCreateInfoEXT& info) {
  DefinitionHash all{info.setLayoutCount};
  for (uint32_t i = 0; i < info.setLayoutCount; ++i) {
    const auto layout = info.pSetLayouts != nullptr ? LayoutOf(call, info.pSetLayouts[i]) : nullptr;
    if (layout == nullptr || layout->identity == 0) return 0;
    all.Add(layout->identity);
  }
  return all.value();
}

// The order of the ranges counts as no part of the definition.
uint64_t HashPushes(const later::VkShaderCreateInfoEXT& info) {
  uint64_t all = info.pushConstantRangeCount;
  for (uint32_t i = 0; i < info.pushConstantRangeCount; ++i) {
    if (info.pPushConstantRanges == nullptr) return 0;
    const VkPushConstantRange& range = info.pPushConstantRanges[i];
    all += DefinitionHash{range.stageFlags, range.offset, range.size}.value();
  }
  return all << 1 | 1;
}

// Records that the command buffer uses the shader, and returns its state; nullptr: unknown.
const ShaderState* Hold(Recorder& recorder, uint64_t shader) {
  Object* object =
      UseHandle(recorder.call(), ObjectKind::kShaderObject, HandleOf(shader), "pShaders[]");
  if (object == nullptr || !object->live()) return nullptr;
  auto& held = static_cast<PlainObject&>(*object);
  recorder.Hold(held);
  return DescriptionOf<ShaderState>(&held);
}

// Notes the shader object of a graphics stage. `state`: nullptr if it is unknown.
void NoteShader(Bindings& bindings, VkShaderStageFlagBits stage, const ShaderState* state) {
  auto known = std::ranges::find(bindings.shaders, stage, &BoundShader::stage);
  if (known == bindings.shaders.end()) known = bindings.shaders.insert(known, {stage});
  known->sets = state != nullptr ? state->sets : 0;
  known->pushes = state != nullptr ? state->pushes : 0;
}

}  // namespace

void CreateShaders::After(VkCall& call, VkResult, VkDevice, uint32_t count, const void* given,
                          const VkAllocationCallbacks*, uint64_t* shaders) {
  const auto* infos = static_cast<const later::VkShaderCreateInfoEXT*>(given);
  // Those that do not change what the layouts and ranges of the shader mean.
  constexpr VkFlags kKnownFlags = 0xff;
  // Also after a failure each element is a shader or VK_NULL_HANDLE.
  for (uint32_t i = 0; shaders != nullptr && i < count; ++i) {
    if (shaders[i] == 0) continue;
    KeepShared<ShaderState>(call, ObjectKind::kShaderObject, HandleOf(shaders[i]),
                            [&](ShaderState* state) {
                              if (infos == nullptr || (infos[i].flags & ~kKnownFlags) != 0) return;
                              state->sets = HashSets(call, infos[i]);
                              state->pushes = HashPushes(infos[i]);
                            });
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
    const ShaderState* state = bound ? Hold(recorder, shader[i]) : nullptr;
    const bool compute = stage[i] == VK_SHADER_STAGE_COMPUTE_BIT;
    BindPoint& point = compute ? bindings.compute : bindings.graphics;
    point.pipeline = WeakRef<PlainObject>();
    point.plain_at = point.needed_sets = 0;
    point.occupied = !compute || bound;
    if (compute) continue;
    bindings.named_stages |= stage[i];
    if (bound) {
      bindings.shader_stages |= stage[i];
      NoteShader(bindings, stage[i], state);
    } else {
      bindings.shader_stages &= ~stage[i];
    }
  }
}

}  // namespace gpusan::vulkan
