// Draws read vertices, indices and parameters up to the last byte of their buffers, of a vertex
// buffer that is bound from its second vertex on, and none at all.
#include "common/vulkan_barriers.h"
#include "common/vulkan_vertices.h"

int main() {
  OpenForRendering();
  const Rendering rendering = MakeVertexRendering();
  const Buffer vertices = MakeBuffer(4 * kVertexBytes, kCopies | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const Buffer indices = MakeBuffer(16, kCopies | VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const Buffer parameters = MakeBuffer(sizeof(VkDrawIndexedIndirectCommand),
                                       kCopies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  Begin();
  for (const Buffer& buffer : {vertices, indices, parameters})
    vkCmdFillBuffer(commands, buffer.handle, 0, VK_WHOLE_SIZE, 0);
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_INDEX_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
  BeginRendering(rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
  const VkDeviceSize offset = kVertexBytes;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
  vkCmdDraw(commands, 3, 7, 0, 5);
  vkCmdDraw(commands, 2, 1, 1, 0);
  vkCmdDraw(commands, 0, 1, 100, 0);
  vkCmdBindIndexBuffer(commands, indices.handle, 4, VK_INDEX_TYPE_UINT16);
  vkCmdDrawIndexed(commands, 3, 1, 3, 0, 0);
  vkCmdBindIndexBuffer(commands, indices.handle, 4, VK_INDEX_TYPE_UINT32);
  vkCmdDrawIndexed(commands, 3, 1, 0, 0, 0);
  vkCmdDrawIndexedIndirect(commands, parameters.handle, 0, 1, 0);
  vkCmdDrawIndexedIndirect(commands, parameters.handle, 4, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Close(vertices, indices, parameters, rendering);
}
