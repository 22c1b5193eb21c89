// Vertex shaders read buffers by addresses in their push constants. Fills of other bytes of the same buffers need
// no barrier, and draws without vertices or instances read nothing. The push constants come before the pipeline.
#include "common/vulkan_pulled_vertices.h"

int main() {
  OpenForPulling();
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
  Close(indices, corners, other, pulling);
}
