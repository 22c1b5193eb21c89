// Vertices of bytes at odd offsets and strides, which need no alignment; of numbers of 16 bits at multiples of two; an
// offset of the buffer and one of the attribute whose sum is aligned; and a lone vertex of a stride that would misalign
// a second one.
#include "common/vulkan_vertices.h"

static Rendering MakeInputs(VkFormat format, uint32_t stride, uint32_t offset) {
  const VkVertexInputBindingDescription binding = {0, stride, VK_VERTEX_INPUT_RATE_VERTEX};
  const VkVertexInputAttributeDescription attribute = {0, 0, format, offset};
  VkPipelineVertexInputStateCreateInfo inputs = {VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  inputs.vertexBindingDescriptionCount = inputs.vertexAttributeDescriptionCount = 1;
  inputs.pVertexBindingDescriptions = &binding;
  inputs.pVertexAttributeDescriptions = &attribute;
  return MakeRendering(&inputs);
}

int main() {
  OpenForRendering();
  const Buffer vertices = MakeBuffer(4096, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  Begin();
  vkCmdFillBuffer(commands, vertices.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  struct Case {
    VkFormat format;
    uint32_t stride, offset, first, count;
    VkDeviceSize bound;
  };
  constexpr Case kCases[] = {
      {VK_FORMAT_R8G8_UNORM, 3, 1, 1, 3, 5},
      {VK_FORMAT_R8G8B8A8_UNORM, 5, 1, 0, 3, 3},
      {VK_FORMAT_R16G16_SFLOAT, 6, 2, 1, 3, 2},
      {VK_FORMAT_R32G32_SFLOAT, 12, 4, 1, 3, 4},
      // Two misalignments that add up to a multiple.
      {VK_FORMAT_R32G32_SFLOAT, 8, 2, 0, 3, 2},
      {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4, 0, 3, 3, 8},
      {VK_FORMAT_R32G32_SFLOAT, 10, 0, 2, 1, 4},
  };
  for (const Case& one : kCases) {
    const Rendering rendering = MakeInputs(one.format, one.stride, one.offset);
    BeginDraws(rendering);
    vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &one.bound);
    vkCmdDraw(commands, one.count, 1, one.first, 0);
    EndDraws();
    const VkSubmitInfo info = SubmitInfo();
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    OK(vkQueueWaitIdle(queue));
    Destroy(rendering);
  }
  Close(vertices);
}
