// Indexed and indirect draws whose vertex and fragment shaders read buffers by addresses in their push constants. Fills of
// other bytes of the same buffers need no barrier.
#include "common/vulkan_pulled_vertices.h"

int main() {
  OpenForPulling();
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
  Close(indexed, parameters, indices, paint, corners, pulling);
}
