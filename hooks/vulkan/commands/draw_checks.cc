// Checks of the state that draws need.
#include "hooks/vulkan/commands/draw_checks.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "hooks/vulkan/objects/sync_objects.h"

namespace gpusan::vulkan {
namespace {

using Fault = rules::SyncStateUse::Fault;

// Whether the render pass surely has a color attachment.
bool HasColor(const PassInstance& pass) {
  return std::ranges::any_of(pass.attachments, [](const PassInstance::Attachment& attachment) {
    return !attachment.depth && !attachment.resolved && attachment.used;
  });
}

// Adds a finding, and returns false, if vkCmdBindShadersEXT has not named a stage that the device
// has.
bool NamesAllStages(Recorder& recorder, VkShaderStageFlags named) {
  struct Stage {
    VkShaderStageFlags bit;
    VkPipelineStageFlags2 stage;
    const char *name, *number;
  };
  constexpr Stage kStages[] = {
      {VK_SHADER_STAGE_VERTEX_BIT, 0, "VK_SHADER_STAGE_VERTEX_BIT", "08684"},
      {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
       VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT,
       "VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT", "08685"},
      {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
       VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT,
       "VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT", "08686"},
      {VK_SHADER_STAGE_GEOMETRY_BIT, VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT,
       "VK_SHADER_STAGE_GEOMETRY_BIT", "08687"},
      {VK_SHADER_STAGE_FRAGMENT_BIT, 0, "VK_SHADER_STAGE_FRAGMENT_BIT", "08688"}};
  const VkPipelineStageFlags2 lacking = recorder.call().device().features.lacking_stages;
  for (const Stage& stage : kStages) {
    if ((named & stage.bit) != 0 || (lacking & stage.stage) != 0) continue;
    ReportSync(recorder.call(), *recorder.state().object, Fault::kStageNotNamed, stage.name,
               stage.number);
    return false;
  }
  return true;
}

// Adds a finding if the bound shader objects were surely created with different layouts of sets or
// different push constant ranges.
void CheckSameLayouts(Recorder& recorder) {
  const Bindings& bindings = recorder.state().bindings;
  const BoundShader* first = nullptr;
  for (const BoundShader& shader : bindings.shaders) {
    if ((bindings.shader_stages & shader.stage) == 0 || shader.sets == 0 || shader.pushes == 0)
      continue;
    if (first == nullptr) first = &shader;
    const bool sets = shader.sets != first->sets;
    if (!sets && shader.pushes == first->pushes) continue;
    return ReportSync(recorder.call(), *recorder.state().object, Fault::kShadersDiffer,
                      sets ? "descriptor set layouts" : "push constant ranges",
                      sets ? "08879" : "08878");
  }
}

}  // namespace

void CheckUnsetState(Recorder& recorder, const Object& object, const DrawState& draw) {
  const Bindings& bindings = recorder.state().bindings;
  const uint64_t inherited = recorder.state().inherits_viewports ? kInheritableState : 0;
  const uint64_t missing = MissingState(draw, bindings.set_state | inherited, bindings.on_state,
                                        HasColor(recorder.state().pass));
  if (missing == 0) return;
  if (missing == kSameCounts) {
    return ReportSync(recorder.call(), object, Fault::kCountsDiffer,
                      absl::StrCat(bindings.viewports), absl::StrCat(bindings.scissors));
  }
  const MissingCommand first = DescribeMissing(draw, missing);
  ReportSync(recorder.call(), object,
             draw.shaders ? Fault::kShaderStateNeverSet : Fault::kStateNeverSet, first.command,
             first.usage, {bindings.undone_by, bindings.undone_at});
}

void CheckShaders(Recorder& recorder) {
  const CommandBufferState& state = recorder.state();
  if (const VkShaderStageFlags stages = state.bindings.shader_stages; stages != 0) {
    if (!NamesAllStages(recorder, state.bindings.named_stages)) return;
    CheckSameLayouts(recorder);
    const Features& features = recorder.call().device().features;
    CheckUnsetState(recorder, *state.object, StateOfShaders(stages, features.absent_states));
  }
}

}  // namespace gpusan::vulkan
