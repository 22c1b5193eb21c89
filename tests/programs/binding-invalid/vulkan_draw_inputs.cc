// Defect without_vertices: A draw reads vertices, but no vertex buffer is bound.
// EXPECT error binding-invalid vkCmdDraw at DRAW
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-04007
// EXIT any
// Defect without_indices: An indexed draw is recorded before the index buffer is bound.
// EXPECT error binding-invalid vkCmdDrawIndexed at DRAW_2
// EXPECT-FACT vuid=VUID-vkCmdDrawIndexed-None-07312
// EXIT any
// Defect without_strides: The stride of the pipeline's vertices is dynamic, but
// vkCmdBindVertexBuffers does not set it.
// EXPECT error binding-invalid vkCmdDraw at DRAW_3
// EXPECT-FACT vuid=VUID-vkCmdDraw-pStrides-04913
// EXIT any
// Defect stride_above_the_limit: vkCmdBindVertexBuffers2 sets a stride of 1 MiB, which the device
// does not allow.
// EXPECT error binding-invalid vkCmdBindVertexBuffers2 at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindVertexBuffers2-pStrides-03362
// Defect stride_below_its_elements: vkCmdBindVertexBuffers2 sets the stride of positions, but the
// elements also have an offset in front of them.
// EXPECT error binding-invalid vkCmdDraw at DRAW_4
// EXPECT-FACT vuid=VUID-vkCmdBindVertexBuffers2-pStrides-06209
// Defect dynamic_input: vkCmdSetVertexInputEXT takes the vertices from binding 1, but the buffer is
// bound to binding 0.
// EXPECT error binding-invalid vkCmdDraw at DRAW_5
// EXPECT-FACT vuid=VUID-vkCmdDraw-None-04007
// EXIT any
// Fix: The vertices and indices are bound, with the strides of their elements.
#include "common/vulkan_vertices.h"

// Fix: The vertex buffer is bound. The binding that the shader does not read needs none.
static void WithoutVertices() {
  const Rendering rendering = MakeVertexRendering();
  const Buffer vertices = MakeBuffer(3 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  BeginDraws(rendering);
#ifndef DEFECT_without_vertices
  const VkDeviceSize offset = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
#endif
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Destroy(vertices, rendering);
}

// Fix: The index buffer is bound first.
static void WithoutIndices() {
  const Rendering rendering = MakeVertexRendering();
  const Buffer vertices = MakeBuffer(3 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const Buffer indices = MakeBuffer(6, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  BeginDraws(rendering);
  const VkDeviceSize offset = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
#ifndef DEFECT_without_indices
  vkCmdBindIndexBuffer(commands, indices.handle, 0, VK_INDEX_TYPE_UINT16);
#endif
  // @DRAW_2
  vkCmdDrawIndexed(commands, 3, 1, 0, 0, 0);
  EndDraws();
  Destroy(vertices, indices, rendering);
}

// Fix: vkCmdBindVertexBuffers2 sets it before the pipeline is bound. A later vkCmdBindVertexBuffers
// keeps it. The stride in the pipeline, with which the draw would read behind the end of the
// buffer, is ignored.
static void WithoutStrides() {
  const Rendering rendering = MakeStridedRendering(8 * kVertexBytes);
  const Buffer vertices = MakeBuffer(3 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const VkDeviceSize offset = 0;
  Begin();
#ifndef DEFECT_without_strides
  BindWithStride(vertices, kVertexBytes);
#endif
  BeginRendering(rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
  // @DRAW_3
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Destroy(vertices, rendering);
}

// Fix: The stride is the limit of the device.
static void StrideAboveTheLimit() {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  VkDeviceSize stride = properties.limits.maxVertexInputBindingStride;
#ifdef DEFECT_stride_above_the_limit
  stride = 1 << 20;
#endif
  const Rendering rendering = MakeStridedRendering(kVertexBytes);
  const Buffer vertices = MakeBuffer(stride * 4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  Begin();
  const VkDeviceSize offset = 0;
  // @BIND
  vkCmdBindVertexBuffers2(commands, 0, 1, &vertices.handle, &offset, nullptr, &stride);
  OK(vkEndCommandBuffer(commands));
  Destroy(vertices, rendering);
}

// Fix: It sets the size of a whole element. A stride of 0 is allowed too: each vertex reads the
// same element.
static void StrideBelowItsElements() {
  constexpr uint32_t kInFront = 4;
  const Rendering rendering = MakeStridedRendering(64, VK_FORMAT_R32G32_SFLOAT, kInFront);
  const Buffer vertices = MakeBuffer(256, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  Begin();
  vkCmdFillBuffer(commands, vertices.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  BeginDraws(rendering);
  BindWithStride(vertices, 0);
  vkCmdDraw(commands, 3, 1, 0, 0);
#ifdef DEFECT_stride_below_its_elements
  BindWithStride(vertices, kVertexBytes);
#else
  BindWithStride(vertices, kInFront + kVertexBytes);
#endif
  // @DRAW_4
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Destroy(vertices, rendering);
}

// Fix: The buffer is bound to binding 1.
static void DynamicInput() {
  OpenForDynamicInputs();
  const Rendering rendering = MakeDynamicInputs();
  const Buffer vertices = MakeBuffer(4096, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  BeginDraws(rendering);
  SetInput(1, kVertexBytes);
#ifdef DEFECT_dynamic_input
  constexpr uint32_t kBinding = 0;
#else
  constexpr uint32_t kBinding = 1;
#endif
  const VkDeviceSize none = 0;
  vkCmdBindVertexBuffers(commands, kBinding, 1, &vertices.handle, &none);
  // @DRAW_5
  vkCmdDraw(commands, 3, 1, 0, 0);
  EndDraws();
  Close(vertices, rendering);
}

int main() {
  OpenForRendering();
  WithoutVertices();
  WithoutIndices();
  WithoutStrides();
  StrideAboveTheLimit();
  StrideBelowItsElements();
  Close();
  DynamicInput();
}
