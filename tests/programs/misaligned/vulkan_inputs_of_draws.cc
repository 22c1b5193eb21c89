// Defect vertices: Binds a vertex buffer at byte 2, from which the vertex shader reads numbers of
// 32 bits.
// EXPECT error misaligned vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-format-10390
// EXIT any
// Defect dynamic_stride: The dynamic stride of vertices of 32-bit numbers is 10 bytes, so that
// every other vertex is misaligned.
// EXPECT error misaligned vkCmdDraw at DRAW_2
// EXPECT-FACT vuid=VUID-vkCmdDraw-format-10390
// EXIT any
// Defect indices: Indices of 32 bits begin at byte 2 of their buffer.
// EXPECT error misaligned vkCmdBindIndexBuffer at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindIndexBuffer-offset-08783
// EXIT any
// Defect parameters: The parameters of each draw begin before those of the draw in front of it end.
// EXPECT error misaligned vkCmdDrawIndirectCount at DRAW_3
// EXPECT-FACT vuid=VUID-vkCmdDrawIndirectCount-stride-03110
// EXIT any
// Fix: Offsets and strides are multiples of the size of their elements.
#include "common/vulkan.h"
#include "common/vulkan_vertices.h"

// Fix: Binds it at a multiple of 4 bytes.
static void Vertices() {
  OpenForRendering();
  const Rendering rendering = MakeVertexRendering();
  const Buffer vertices = MakeBuffer(4096, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  Begin();
  vkCmdFillBuffer(commands, vertices.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
#ifdef DEFECT_vertices
  const VkDeviceSize offset = 2;
#else
  const VkDeviceSize offset = 4;
#endif
  BeginDraws(rendering);
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Close(vertices, rendering);
}

// Fix: It is 12 bytes. The first vertex of the misaligned stride alone could be drawn.
static void DynamicStride() {
  OpenForRendering();
  const Rendering rendering = MakeStridedRendering(kVertexBytes);
  const Buffer vertices = MakeBuffer(256, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  Begin();
  vkCmdFillBuffer(commands, vertices.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  BeginDraws(rendering);
  BindWithStride(vertices, 10);
  vkCmdDraw(commands, 1, 1, 2, 0);
#ifndef DEFECT_dynamic_stride
  BindWithStride(vertices, 12);
#endif
  // @DRAW_2
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Close(vertices, rendering);
}

// Fix: They begin at a multiple of 4 bytes.
static void Indices() {
  Open();
  const Buffer indices = MakeBuffer(4096, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
#ifdef DEFECT_indices
  const VkDeviceSize offset = 2;
#else
  const VkDeviceSize offset = 4;
#endif
  Begin();
  // @BIND
  vkCmdBindIndexBuffer(commands, indices.handle, offset, VK_INDEX_TYPE_UINT32);
  OK(vkEndCommandBuffer(commands));
  Close(indices);
}

// Fix: The stride is the size of the parameters. The stride of a single draw is not used.
static void Parameters() {
  OpenForDrawCounts();
  const Inputs inputs = MakeInputs();
  const Buffer counts = MakeBuffer(16, kCopies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  Begin();
  Fill(inputs.parameters, 0, 256);
  Fill(counts, 0, 16);
  Fill(inputs.vertices, 0, kVerticesBytes);
  BeginInputDraws(inputs);
  uint32_t stride = sizeof(VkDrawIndirectCommand);
#ifdef DEFECT_parameters
  stride = 12;
#endif
  // @DRAW_3
  vkCmdDrawIndirectCount(commands, inputs.parameters.handle, 0, counts.handle, 0, 4, stride);
  vkCmdDrawIndirect(commands, inputs.parameters.handle, 0, 1, 0);
  vkCmdEndRendering(commands);
  OK(vkEndCommandBuffer(commands));
  Close(counts, inputs);
}

int main() {
  Vertices();
  DynamicStride();
  Indices();
  Parameters();
}
