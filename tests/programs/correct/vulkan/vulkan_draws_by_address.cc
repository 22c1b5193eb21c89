// Draws whose shaders read buffers by addresses in push constants.
#include "common/vulkan_pulled_vertices.h"

// Indexed and indirect draws whose vertex and fragment shaders read buffers by addresses in their push constants. Fills of
// other bytes of the same buffers need no barrier.
static void IndexedAndIndirectDraws() {
  const Pulling pulling = MakePulling(nullptr, true);
  const Buffer corners = MakeAddressedBuffer(8 * kCornerBytes), paint = MakeAddressedBuffer(32);
  const Buffer indices = MakeZeros(6 * sizeof(uint32_t), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const Buffer parameters =
      MakeZeros(sizeof(VkDrawIndirectCommand), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  const Buffer indexed =
      MakeZeros(sizeof(VkDrawIndexedIndirectCommand), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  Begin();
  vkCmdFillBuffer(commands, corners.handle, 4 * kCornerBytes, VK_WHOLE_SIZE, 0);
  vkCmdFillBuffer(commands, paint.handle, 0, 16, 0);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  vkCmdPipelineBarrier(
      commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
      VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 1, &barrier,
      0, nullptr, 0, nullptr);
  // Behind the barrier, of the bytes that no draw reads.
  vkCmdFillBuffer(commands, corners.handle, 0, 4 * kCornerBytes, 0);
  vkCmdFillBuffer(commands, paint.handle, 16, 16, 0);
  BeginRendering(pulling.rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pulling.draws);
  vkCmdBindIndexBuffer(commands, indices.handle, 0, VK_INDEX_TYPE_UINT32);
  PushCorners(pulling, corners);
  PushPaint(pulling, paint);
  // The vertices begin with the offset.
  vkCmdDrawIndexed(commands, 6, 1, 0, 4, 0);
  vkCmdDrawIndexed(commands, 0, 1, 0, 0, 0);
  PushCorners(pulling, corners, 4 * kCornerBytes);
  vkCmdDrawIndirect(commands, parameters.handle, 0, 1, sizeof(VkDrawIndirectCommand));
  vkCmdDrawIndexedIndirect(commands, indexed.handle, 0, 1, sizeof(VkDrawIndexedIndirectCommand));
  vkCmdEndRendering(commands);
  Run();
  Destroy(indexed, parameters, indices, paint, corners, pulling);
}

// Vertex shaders read buffers by addresses in their push constants. Fills of other bytes of the same buffers need
// no barrier, and draws without vertices or instances read nothing. The push constants come before the pipeline.
static void VerticesByAddress() {
  const Pulling pulling = MakePulling();
  const VkDynamicState state = VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY;
  VkPipelineDynamicStateCreateInfo dynamic = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = 1;
  dynamic.pDynamicStates = &state;
  const Pulling other = MakePulling(&dynamic);
  const Buffer corners = MakeAddressedBuffer(8 * kCornerBytes);
  const Buffer indices =
      MakeBuffer(6 * sizeof(uint32_t), kCopies | VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  Begin();
  vkCmdFillBuffer(commands, corners.handle, 0, 6 * kCornerBytes, 0);
  vkCmdFillBuffer(commands, indices.handle, 0, VK_WHOLE_SIZE, 0);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_INDEX_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                       0, 1, &barrier, 0, nullptr, 0, nullptr);
  FillsBeforeVertices();
  // Behind the barrier, of the bytes that no draw reads.
  vkCmdFillBuffer(commands, corners.handle, 6 * kCornerBytes, 2 * kCornerBytes, 0);
  PushCorners(pulling, corners);
  BeginRendering(pulling.rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pulling.draws);
  vkCmdDraw(commands, 6, 1, 0, 0);
  vkCmdDraw(commands, 3, 2, 3, 7);
  vkCmdDraw(commands, 0, 1, 100, 0);
  vkCmdDraw(commands, 3, 0, 100, 0);
  PushCorners(pulling, corners, 3 * kCornerBytes);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdBindIndexBuffer(commands, indices.handle, 0, VK_INDEX_TYPE_UINT32);
  vkCmdDrawIndexed(commands, 6, 1, 0, 0, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, other.draws);
  PushCorners(other, corners);
  vkCmdSetPrimitiveTopology(commands, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
  vkCmdDraw(commands, 4, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Destroy(indices, corners, other, pulling);
}

// One buffer holds the vertices of several meshes, whose addresses are push constants. A dispatch writes the vertices of one
// mesh while indexed draws read another one: only the draw of the written mesh needs a barrier.
static void DispatchIntoAnotherMesh() {
  const Pulling pulling = MakePulling();
  const Pushing pushing = MakePushing(moved_comp, sizeof(Moved));
  constexpr uint32_t kMeshBytes = 16 * kCornerBytes;
  const Buffer meshes = MakeAddressedBuffer(2 * kMeshBytes);
  const Buffer indices = MakeZeros(6 * sizeof(uint32_t), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  Begin();
  vkCmdFillBuffer(commands, meshes.handle, 0, VK_WHOLE_SIZE, 0);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  vkCmdPipelineBarrier(
      commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
      VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier,
      0, nullptr, 0, nullptr);
  // The second mesh.
  Dispatch(pushing, Moved{0, 64, AddressOf(meshes.handle) + kMeshBytes}, 1);
  BeginRendering(pulling.rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pulling.draws);
  vkCmdBindIndexBuffer(commands, indices.handle, 0, VK_INDEX_TYPE_UINT32);
  PushCorners(pulling, meshes);
  vkCmdDrawIndexed(commands, 6, 1, 0, 0, 0);
  vkCmdEndRendering(commands);
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  constexpr VkPipelineStageFlags kTarget = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | kTarget,
                       VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | kTarget, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
  BeginRendering(pulling.rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pulling.draws);
  PushCorners(pulling, meshes, kMeshBytes);
  vkCmdDrawIndexed(commands, 6, 1, 0, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Destroy(indices, meshes, pushing, pulling);
}

int main() {
  OpenForPulling();
  IndexedAndIndirectDraws();
  VerticesByAddress();
  DispatchIntoAnotherMesh();
  Close();
}
