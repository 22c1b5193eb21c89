// Defect after_a_fixed_viewport: The viewport is set before a pipeline is bound that has a viewport
// of its own. The value that was set is undefined after that, and the next pipeline needs it.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-07831
// EXIT any
// Defect in_front_of_the_pipeline: The width of lines is set after a pipeline is bound that has a
// width of its own.
// EXPECT error binding-invalid vkCmdDraw at DRAW_2
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-08608
// EXPECT-TEXT vkCmdSetLineWidth
// EXIT any
// Defect in_another_command_buffer: The viewport is set in the primary command buffer, and the draw
// is in a secondary one.
// EXPECT error binding-invalid vkCmdDraw at DRAW_3
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-07831
// EXIT any
// Fix: The state is set behind the pipeline, in the command buffer of the draw.
#include "common/vulkan_rendering.h"
#include "common/vulkan_secondary.h"

// Fix: The viewport is set after the pipeline with its own one. Another pipeline with dynamic state
// keeps it.
static void SetViewport() {
  const VkViewport viewport = {0, 0, kPassSize, kPassSize, 0, 1};
  vkCmdSetViewport(commands, 0, 1, &viewport);
}

static void AfterAFixedViewport() {
  const Rendering fixed = MakeRendering();
  const Rendering scissors = MakeDynamicRendering(
      {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR, VK_DYNAMIC_STATE_LINE_WIDTH});
  const Rendering viewports = MakeDynamicRendering({VK_DYNAMIC_STATE_VIEWPORT});
  Begin();
  BeginRendering(fixed, 0);
#ifdef DEFECT_after_a_fixed_viewport
  SetViewport();
#endif
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, fixed.draws);
  vkCmdDraw(commands, 3, 1, 0, 0);
#ifndef DEFECT_after_a_fixed_viewport
  SetViewport();
#endif
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, scissors.draws);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, viewports.draws);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Destroy(viewports, scissors, fixed);
}

// Fix: It is set before. The viewport is dynamic in the pipeline.
static void InFrontOfThePipeline() {
  const Rendering rendering = MakeDynamicRendering({VK_DYNAMIC_STATE_VIEWPORT});
  Begin();
  BeginRendering(rendering, 0);
#ifndef DEFECT_in_front_of_the_pipeline
  vkCmdSetLineWidth(commands, 1);
#endif
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
#ifdef DEFECT_in_front_of_the_pipeline
  vkCmdSetLineWidth(commands, 1);
#endif
  const VkViewport viewport = {0, 0, kPassSize, kPassSize, 0, 1};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  // @DRAW_2
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Destroy(rendering);
}

// Fix: The secondary command buffer sets it.
static void InAnotherCommandBuffer() {
  const Rendering rendering = MakeDynamicRendering({VK_DYNAMIC_STATE_VIEWPORT});
  const VkCommandBuffer secondary = MakeSecondary();
  const VkViewport viewport = {0, 0, kPassSize, kPassSize, 0, 1};
  const VkCommandBufferInheritanceRenderingInfo formats = RenderingFormats();
  VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  inheritance.pNext = &formats;
  BeginSecondary(secondary, inheritance);
#ifndef DEFECT_in_another_command_buffer
  vkCmdSetViewport(secondary, 0, 1, &viewport);
#endif
  vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
  // @DRAW_3
  vkCmdDraw(secondary, 3, 1, 0, 0);
  OK(vkEndCommandBuffer(secondary));
  Begin();
  vkCmdSetViewport(commands, 0, 1, &viewport);
  BeginRendering(rendering, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
  vkCmdExecuteCommands(commands, 1, &secondary);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Destroy(rendering);
}

int main() {
  OpenForRendering();
  AfterAFixedViewport();
  InFrontOfThePipeline();
  InAnotherCommandBuffer();
  Close();
}
