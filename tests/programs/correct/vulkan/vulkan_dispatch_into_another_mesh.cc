// One buffer holds the vertices of several meshes, whose addresses are push constants. A dispatch writes the vertices of one
// mesh while indexed draws read another one: only the draw of the written mesh needs a barrier.
#include "common/vulkan_pulled_vertices.h"

int main() {
  OpenForPulling();
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
  Close(indices, meshes, pushing, pulling);
}
