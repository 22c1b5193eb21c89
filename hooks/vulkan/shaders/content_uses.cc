// The images and buffers on whose content the results of a pipeline surely depend.
#include "hooks/vulkan/shaders/content_uses.h"

namespace gpusan::vulkan {
namespace {

void Note(const ResourceFlow& flow, uint64_t stage, PipelineState* state) {
  for (PipelineBinding& used : state->bindings) {
    if (used.stages == stage && used.set == flow.set && used.binding == flow.binding &&
        used.element == ShaderBinding::kAll)
      used.content_used = true;
  }
}

// Whether no test of the pipeline removes all fragments.
bool KeepsFragments(const VkGraphicsPipelineCreateInfo& info, const DrawState& draw) {
  const VkPipelineMultisampleStateCreateInfo* samples = info.pMultisampleState;
  return draw.vertices_last && samples != nullptr && samples->pSampleMask == nullptr &&
         !samples->alphaToCoverageEnable &&
         info.pRasterizationState->cullMode != VK_CULL_MODE_FRONT_AND_BACK &&
         !IsDynamic(info, {VK_DYNAMIC_STATE_CULL_MODE});
}

// Whether the color attachment receives components of the output as they are.
bool WritesColor(const VkGraphicsPipelineCreateInfo& info, const ResourceFlow& output) {
  const VkPipelineColorBlendStateCreateInfo* blend = info.pColorBlendState;
  if (blend == nullptr || blend->pAttachments == nullptr || blend->logicOpEnable ||
      output.location >= blend->attachmentCount ||
      IsDynamic(info,
                {VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT,
                 VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT}))
    return false;
  const VkPipelineColorBlendAttachmentState& attachment = blend->pAttachments[output.location];
  return !attachment.blendEnable && (attachment.colorWriteMask & output.components) != 0;
}

}  // namespace

void NoteContentOfDispatch(const ValueFlow& flow, PipelineState* state) {
  for (const ResourceFlow& used : flow.resources)
    Note(used, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, state);
}

void NoteContentOfDraw(const ValueFlow& flow, const VkGraphicsPipelineCreateInfo& info,
                       PipelineState* state) {
  if (!KeepsFragments(info, state->draw_state)) return;
  for (const ResourceFlow& used : flow.resources) {
    if (WritesColor(info, used)) Note(used, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, state);
  }
}

}  // namespace gpusan::vulkan
