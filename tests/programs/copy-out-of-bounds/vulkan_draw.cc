// Defect vertices: A draw reads one vertex more than its buffer has.
// EXPECT error copy-out-of-bounds vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-02721
// Defect indices: A draw reads one index more than the index buffer has.
// EXPECT error copy-out-of-bounds vkCmdDrawIndexed at DRAW_2
// EXPECT-FACT vuid=VUID-vkCmdDrawIndexed-robustBufferAccess2-08798
// Defect dynamic_stride: vkCmdBindVertexBuffers2 sets twice the stride of the vertices in the
// buffer, so that the draw reads behind its end.
// EXPECT error copy-out-of-bounds vkCmdDraw at DRAW_3
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-02721
// Defect dynamic_input: The stride that vkCmdSetVertexInputEXT sets is twice that of the vertices
// in the buffer.
// EXPECT error copy-out-of-bounds vkCmdDraw at DRAW_4
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-02721
// Defect parameters: Three draws take their parameters from a buffer with those of two.
// EXPECT error copy-out-of-bounds vkCmdDrawIndirect at DRAW_5
// EXPECT-FACT vuid=VUID-vkCmdDrawIndirect-drawCount-00488
// Defect several_draws: The second of several draws reads one vertex more than the buffer has, and
// the first of several indexed draws reads behind the end of the indices.
// EXPECT error copy-out-of-bounds vkCmdDrawMultiEXT at VERTICES
// EXPECT-FACT vuid=VUID-vkCmdDrawMultiEXT-None-02721
// EXPECT error copy-out-of-bounds vkCmdDrawMultiIndexedEXT at INDICES
// EXPECT-FACT vuid=VUID-vkCmdDrawMultiIndexedEXT-robustBufferAccess2-08798
// Fix: The draw reads up to the end of its buffers.
// EXIT any
#include "common/vulkan_features.h"
#include "common/vulkan_rendering.h"
#include "common/vulkan_vertices.h"

// Fix: It ends with the last vertex.
static void Vertices() {
  OpenForRendering();
  const Rendering rendering = MakeVertexRendering();
  const Buffer vertices = MakeBuffer(6 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
#ifdef DEFECT_vertices
  const uint32_t first = 3;
#else
  const uint32_t first = 2;
#endif
  BeginDraws(rendering);
  const VkDeviceSize offset = kVertexBytes;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
  // @DRAW
  vkCmdDraw(commands, 3, 1, first, 0);
  EndDraws();
  Close(vertices, rendering);
}

// Fix: It ends with the last index.
static void Indices() {
  OpenForRendering();
  const Rendering rendering = MakeVertexRendering();
  const Buffer vertices = MakeBuffer(3 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const Buffer indices = MakeBuffer(6 * 2, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
#ifdef DEFECT_indices
  const uint32_t first = 2;
#else
  const uint32_t first = 1;
#endif
  BeginDraws(rendering);
  const VkDeviceSize offset = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
  vkCmdBindIndexBuffer(commands, indices.handle, 4, VK_INDEX_TYPE_UINT16);
  // @DRAW_2
  vkCmdDrawIndexed(commands, 3, 1, first, 0, 0);
  EndDraws();
  Close(vertices, indices, rendering);
}

// Fix: It sets the stride of the vertices. vkCmdBindVertexBuffers would keep it.
static void DynamicStride() {
  OpenForRendering();
  const Rendering rendering = MakeStridedRendering(kVertexBytes);
  const Buffer vertices = MakeBuffer(4 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  BeginDraws(rendering);
#ifdef DEFECT_dynamic_stride
  const VkDeviceSize stride = 2 * kVertexBytes;
#else
  const VkDeviceSize stride = kVertexBytes;
#endif
  BindWithStride(vertices, stride);
  const VkDeviceSize second = kVertexBytes;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &second);
  // @DRAW_3
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Close(vertices, rendering);
}

// Fix: It is their stride.
static void DynamicInput() {
  OpenForDynamicInputs();
  const Rendering rendering = MakeDynamicInputs();
  const Buffer vertices = MakeBuffer(3 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  BeginDraws(rendering);
#ifdef DEFECT_dynamic_input
  SetInput(0, 2 * kVertexBytes);
#else
  SetInput(0, kVertexBytes);
#endif
  const VkDeviceSize none = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &none);
  // @DRAW_4
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Close(vertices, rendering);
}

// Fix: There are two draws.
static void Parameters() {
  OpenWithFeatures({&VkPhysicalDeviceFeatures::multiDrawIndirect});
  const Rendering rendering = MakeRendering();
  const Buffer parameters =
      MakeBuffer(2 * sizeof(VkDrawIndirectCommand), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
#ifdef DEFECT_parameters
  const uint32_t draws = 3;
#else
  const uint32_t draws = 2;
#endif
  Begin();
  BeginRendering(rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
  // @DRAW_5
  vkCmdDrawIndirect(commands, parameters.handle, 0, draws, sizeof(VkDrawIndirectCommand));
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(parameters, rendering);
}

// Fix: They end with the last vertex and the last index. A draw of no vertices behind the end reads
// nothing.
static void SeveralDraws() {
  VkPhysicalDeviceDynamicRenderingFeatures rendering_features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES};
  rendering_features.dynamicRendering = VK_TRUE;
  VkPhysicalDeviceMultiDrawFeaturesEXT features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT};
  features.pNext = &rendering_features;
  features.multiDraw = VK_TRUE;
  Open({.extensions = {VK_EXT_MULTI_DRAW_EXTENSION_NAME}, .features = &features});
  const auto draw =
      reinterpret_cast<PFN_vkCmdDrawMultiEXT>(vkGetDeviceProcAddr(device, "vkCmdDrawMultiEXT"));
  const auto draw_indexed = reinterpret_cast<PFN_vkCmdDrawMultiIndexedEXT>(
      vkGetDeviceProcAddr(device, "vkCmdDrawMultiIndexedEXT"));
  const Rendering rendering = MakeVertexRendering();
  const Buffer vertices = MakeBuffer(6 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  const Buffer indices = MakeBuffer(6 * 4, VK_BUFFER_USAGE_INDEX_BUFFER_BIT | kCopies);
  Begin();
  vkCmdFillBuffer(commands, vertices.handle, 0, VK_WHOLE_SIZE, 0);
  vkCmdFillBuffer(commands, indices.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
#ifdef DEFECT_several_draws
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

int main() {
  Vertices();
  Indices();
  DynamicStride();
  DynamicInput();
  Parameters();
  SeveralDraws();
}
