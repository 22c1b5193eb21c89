// Draws in a color that push constants of the fragment shader say, behind a range of the vertex
// shader.
#pragma once

#include "common/vulkan_rendering.h"
#include "shaders/tint.frag.h"

struct Tints {
  Rendering rendering;
  VkPipelineLayout layout;
  VkPipeline draws;
};

[[maybe_unused]] static Tints MakeTints() {
  Tints made;
  made.rendering = MakeRendering();
  const VkPushConstantRange ranges[] = {{VK_SHADER_STAGE_VERTEX_BIT, 0, 16},
                                        {VK_SHADER_STAGE_FRAGMENT_BIT, 16, 16}};
  VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout.pushConstantRangeCount = 2;
  layout.pPushConstantRanges = ranges;
  OK(vkCreatePipelineLayout(device, &layout, nullptr, &made.layout));
  VkPipelineRenderingCreateInfo formats = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  formats.colorAttachmentCount = 1;
  formats.pColorAttachmentFormats = &kRenderingFormat;
  made.draws =
      MakeDraws(VK_NULL_HANDLE, 0, made.layout, tint_frag, sizeof(tint_frag), &formats);
  return made;
}

// Begins to record draws with the pipeline.
[[maybe_unused]] static void BeginTints(const Tints& tints) {
  Begin();
  BeginRendering(tints.rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, tints.draws);
}

[[maybe_unused]] static void Destroy(const Tints& tints) {
  vkDestroyPipeline(device, tints.draws, nullptr);
  vkDestroyPipelineLayout(device, tints.layout, nullptr);
  Destroy(tints.rendering);
}
