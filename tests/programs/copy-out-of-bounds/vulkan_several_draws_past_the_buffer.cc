// Defect: The second of several draws reads one vertex more than the buffer has, and the first of several indexed draws
// reads behind the end of the indices.
// Fix: They end with the last vertex and the last index. A draw of no vertices behind the end reads nothing.
// EXPECT error copy-out-of-bounds vkCmdDrawMultiEXT at VERTICES
// EXPECT-FACT vuid=VUID-vkCmdDrawMultiEXT-None-02721
// EXPECT error copy-out-of-bounds vkCmdDrawMultiIndexedEXT at INDICES
// EXPECT-FACT vuid=VUID-vkCmdDrawMultiIndexedEXT-robustBufferAccess2-08798
// EXIT any
#include "common/vulkan_vertices.h"

int main() {
  VkPhysicalDeviceDynamicRenderingFeatures rendering_features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  rendering_features.dynamicRendering = VK_TRUE;
  VkPhysicalDeviceMultiDrawFeaturesEXT features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT};
  features.pNext = &rendering_features;
  features.multiDraw = VK_TRUE;
  Open({.extensions = {VK_EXT_MULTI_DRAW_EXTENSION_NAME}, .features = &features});
  const auto draw = reinterpret_cast<PFN_vkCmdDrawMultiEXT>(
      vkGetDeviceProcAddr(device, "vkCmdDrawMultiEXT"));
  const auto draw_indexed = reinterpret_cast<PFN_vkCmdDrawMultiIndexedEXT>(
      vkGetDeviceProcAddr(device, "vkCmdDrawMultiIndexedEXT"));
  const Rendering rendering = MakeVertexRendering();
  const Buffer vertices =
      MakeBuffer(6 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  const Buffer indices = MakeBuffer(6 * 4, VK_BUFFER_USAGE_INDEX_BUFFER_BIT | kCopies);
  Begin();
  vkCmdFillBuffer(commands, vertices.handle, 0, VK_WHOLE_SIZE, 0);
  vkCmdFillBuffer(commands, indices.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
#ifdef DEFECT
  constexpr uint32_t kMore = 1;
#else
  constexpr uint32_t kMore = 0;
#endif
  // With a member behind each, which the stride passes over.
  const struct {
    VkMultiDrawInfoEXT info;
    uint32_t other;
  } draws[3] = {{{0, 3}, 99}, {{3 + kMore, 3}, 99}, {{100, 0}, 99}};
  const VkMultiDrawIndexedInfoEXT indexed[2] = {{kMore, 6, 0}, {0, 3, 0}};
  BeginDraws(rendering);
  const VkDeviceSize none = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &none);
  vkCmdBindIndexBuffer(commands, indices.handle, 0, VK_INDEX_TYPE_UINT32);
  // @VERTICES
  draw(commands, 3, &draws[0].info, 1, 0, sizeof(draws[0]));
  // @INDICES
  draw_indexed(commands, 2, indexed, 1, 0, sizeof(indexed[0]), nullptr);
  EndDraws();
  Close(vertices, indices, rendering);
}
