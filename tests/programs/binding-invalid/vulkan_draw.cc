// Defect without_a_pipeline: No pipeline is bound in the command buffer of a draw.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-08606
// Defect without_its_culling: The pipeline leaves the culling to a command that is not recorded.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-07840
// Defect without_its_depth_test: The pipeline leaves the depth test to a command that is not
// recorded.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-07843
// Defect without_its_viewport: The draw needs a viewport and a scissor, and only the scissor is
// set.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-07831
// Defect that_a_query_cannot_count: A draw that discards its primitives is recorded while a query
// counts generated primitives, on a device without primitivesGeneratedQueryWithRasterizerDiscard.
// EXPECT error binding-invalid vkCmdDraw at DRAW_2
// EXPECT-FACT vuid=VUID-vkCmdDraw-primitivesGeneratedQueryWithRasterizerDiscard-06708
// Fix: The draw has a pipeline and the state that the pipeline and the query need.
// EXIT any
#include "common/vulkan_objects.h"
#include "common/vulkan_rendering.h"

// Fix: The pipeline is bound, and each state is set that it needs. Without a depth bias, that state
// is not needed. With the depth test switched off, the comparison and the depth writes need no
// command.
static void State() {
  OpenForRendering();
  const Rendering rendering = MakeDynamicRendering(
      {VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_DEPTH_BIAS, VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
       VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
       VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR});
  Begin();
  BeginRendering(rendering, 0);
#ifndef DEFECT_without_a_pipeline
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
#endif
#ifndef DEFECT_without_its_culling
  vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);
#endif
#ifndef DEFECT_without_its_depth_test
  vkCmdSetDepthTestEnable(commands, VK_FALSE);
#endif
#ifndef DEFECT_without_its_viewport
  const VkViewport viewport = {0, 0, kPassSize, kPassSize, 0, 1};
  vkCmdSetViewport(commands, 0, 1, &viewport);
#endif
  const VkRect2D scissor = {{0, 0}, {kPassSize, kPassSize}};
  vkCmdSetScissor(commands, 0, 1, &scissor);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(rendering);
}

// Fix: The draw rasterizes.
static void ThatAQueryCannotCount() {
  VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT primitives = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT};
  primitives.primitivesGeneratedQuery = VK_TRUE;
  VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, &primitives, VK_TRUE,
      VK_FALSE};
  VkPhysicalDeviceDynamicRenderingFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, &feedback, VK_TRUE};
  Open({.extensions = {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
                       VK_EXT_PRIMITIVES_GENERATED_QUERY_EXTENSION_NAME},
        .features = &features});
  const Rendering rendering = MakeDynamicRendering({VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE});
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT, 1);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 1);
  BeginRendering(rendering, 0);
  vkCmdBeginQuery(commands, queries, 0, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
#ifdef DEFECT_that_a_query_cannot_count
  vkCmdSetRasterizerDiscardEnable(commands, VK_TRUE);
#else
  vkCmdSetRasterizerDiscardEnable(commands, VK_FALSE);
#endif
  // @DRAW_2
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndQuery(commands, queries, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(queries, rendering);
}

int main() {
  State();
  ThatAQueryCannotCount();
}
