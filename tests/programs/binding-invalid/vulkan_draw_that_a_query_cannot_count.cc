// Defect: A draw that discards its primitives is recorded while a query counts generated
// primitives, on a device without primitivesGeneratedQueryWithRasterizerDiscard.
// Fix: The draw rasterizes.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-primitivesGeneratedQueryWithRasterizerDiscard-06708
// EXIT any
#include "common/vulkan_queries.h"
#include "common/vulkan_rendering.h"

int main() {
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
  const Rendering rendering =
      MakeDynamicRendering({VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE});
  const VkQueryPool queries = MakeQueries(VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT, 1);
  Begin();
  vkCmdResetQueryPool(commands, queries, 0, 1);
  BeginRendering(rendering, 0);
  vkCmdBeginQuery(commands, queries, 0, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
#ifdef DEFECT
  vkCmdSetRasterizerDiscardEnable(commands, VK_TRUE);
#else
  vkCmdSetRasterizerDiscardEnable(commands, VK_FALSE);
#endif
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndQuery(commands, queries, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(queries, rendering);
}
