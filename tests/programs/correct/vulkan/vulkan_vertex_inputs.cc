// Vertex inputs with odd offsets, dynamic strides and bindings, up to the last byte.
#include "common/vulkan_barriers.h"
#include "common/vulkan_vertices.h"

// Vertices of bytes at odd offsets and strides, which need no alignment; of numbers of 16 bits at multiples of two; an
// offset of the buffer and one of the attribute whose sum is aligned; and a lone vertex of a stride that would misalign
// a second one.
static Rendering MakeInputs(VkFormat format, uint32_t stride, uint32_t offset) {
  const VkVertexInputBindingDescription binding = {0, stride, VK_VERTEX_INPUT_RATE_VERTEX};
  const VkVertexInputAttributeDescription attribute = {0, 0, format, offset};
  VkPipelineVertexInputStateCreateInfo inputs = {VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  inputs.vertexBindingDescriptionCount = inputs.vertexAttributeDescriptionCount = 1;
  inputs.pVertexBindingDescriptions = &binding;
  inputs.pVertexAttributeDescriptions = &attribute;
  return MakeRendering(&inputs);
}

static void BytesAsVertices() {
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

// Draws read vertices, indices and parameters up to the last byte of their buffers, of a vertex
// buffer that is bound from its second vertex on, and none at all.
static void DrawsUpToTheLastByte() {
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

// Dynamic vertex input: set before the pipeline and the buffers; of a binding that changes; from a stride of 0 and one of
// instances; of a location that no shader declares, whose buffer is not bound or is too small; set anew behind a pipeline
// with an input of its own; and behind fills of a buffer that only an earlier input read.
static void InputsThatCommandsSet() {
  OpenForDynamicInputs();
  const Rendering dynamic = MakeDynamicInputs(), fixed = MakeVertexRendering();
  constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies;
  const Buffer few = MakeBuffer(3 * kVertexBytes, kUsage), many = MakeBuffer(1024, kUsage);
  Begin();
  vkCmdFillBuffer(commands, few.handle, 0, VK_WHOLE_SIZE, 0);
  vkCmdFillBuffer(commands, many.handle, 0, VK_WHOLE_SIZE, 0);
  Run();

  const VkDeviceSize none = 0;
  Begin();
  SetInput(0, kVertexBytes);
  vkCmdBindVertexBuffers(commands, 0, 1, &few.handle, &none);
  BeginRendering(dynamic, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, dynamic.draws);
  vkCmdDraw(commands, 3, 1, 0, 0);
  // The buffer of location 1 is too small.
  vkCmdBindVertexBuffers(commands, 2, 1, &many.handle, &none);
  vkCmdBindVertexBuffers(commands, 3, 1, &few.handle, &none);
  SetInput(2, 64);
  vkCmdDraw(commands, 16, 1, 0, 0);
  SetInput(3, 0);
  vkCmdDraw(commands, 1000, 1, 1000, 0);
  SetInput(3, kVertexBytes, VK_VERTEX_INPUT_RATE_INSTANCE);
  vkCmdDraw(commands, 300, 3, 0, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, fixed.draws);
  vkCmdBindVertexBuffers(commands, 0, 1, &many.handle, &none);
  vkCmdDraw(commands, 100, 1, 0, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, dynamic.draws);
  SetInput(2, kVertexBytes);
  vkCmdDraw(commands, 100, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();

  // Binding 0 is bound, but not read.
  Begin();
  vkCmdFillBuffer(commands, few.handle, 0, VK_WHOLE_SIZE, 0);
  BeginRendering(dynamic, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, dynamic.draws);
  vkCmdBindVertexBuffers(commands, 0, 1, &few.handle, &none);
  vkCmdBindVertexBuffers(commands, 1, 1, &many.handle, &none);
  SetInput(0, kVertexBytes);
  SetInput(1, kVertexBytes);
  vkCmdDraw(commands, 100, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Close(few, many, dynamic, fixed);
}

// Dynamic strides: smaller and larger than the ignored one of the pipeline, 0, kept by vkCmdBindVertexBuffers, set before
// the pipeline is bound, set for one binding while another keeps its own, of instances, of a single vertex that ends with
// the buffer, and set anew behind a pipeline with a static stride.
static Buffer vertices, few;

static void BindPipeline(const Rendering& rendering) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
}

static void StridesThatCommandsSet() {
  const VkDeviceSize none = 0;
  OpenForRendering();
  const Rendering wide = MakeStridedRendering(1024), narrow = MakeStridedRendering(0);
  const Rendering instances =
      MakeStridedRendering(1024, VK_FORMAT_R32G32_SFLOAT, 4, VK_VERTEX_INPUT_RATE_INSTANCE);
  const Rendering fixed = MakeVertexRendering();
  vertices = MakeBuffer(1024, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  few = MakeBuffer(3 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  Begin();
  vkCmdFillBuffer(commands, vertices.handle, 0, VK_WHOLE_SIZE, 0);
  vkCmdFillBuffer(commands, few.handle, 0, VK_WHOLE_SIZE, 0);
  Run();

  BeginDraws(wide);
  // The ignored stride of 1024 would pass the end.
  BindWithStride(few, kVertexBytes);
  vkCmdDraw(commands, 3, 1, 0, 0);
  // Kept for a new buffer and a new offset.
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &none);
  vkCmdDraw(commands, 128, 1, 0, 0);
  // Of the binding that is not read; the other one keeps its stride.
  const VkDeviceSize huge = 512;
  vkCmdBindVertexBuffers2(commands, 1, 1, &few.handle, &none, nullptr, &huge);
  vkCmdDraw(commands, 128, 1, 0, 0);
  BindWithStride(few, 0);
  vkCmdDraw(commands, 300, 1, 1000, 0);
  // A lone element may end with the buffer.
  BindWithStride(few, 64, 2 * kVertexBytes);
  vkCmdDraw(commands, 1, 1, 0, 0);
  BindPipeline(narrow);
  vkCmdDraw(commands, 1, 1, 0, 0);
  BindWithStride(vertices, 64);
  vkCmdDraw(commands, 16, 1, 0, 0);
  // A smaller bound size than that of the buffer.
  const VkDeviceSize size = 6 * kVertexBytes, stride = kVertexBytes;
  vkCmdBindVertexBuffers2(commands, 0, 1, &vertices.handle, &none, &size, &stride);
  vkCmdDraw(commands, 6, 1, 0, 0);
  BindPipeline(instances);
  BindWithStride(vertices, 12);
  vkCmdDraw(commands, 3000, 85, 0, 0);
  // The static stride is that of the pipeline: the dynamic one would pass the end.
  BindWithStride(few, 512);
  BindPipeline(fixed);
  vkCmdBindVertexBuffers(commands, 0, 1, &few.handle, &none);
  vkCmdDraw(commands, 3, 1, 0, 0);
  // Only that of binding 1 is set anew: the stride of binding 0 is not known.
  vkCmdBindVertexBuffers2(commands, 1, 1, &vertices.handle, &none, nullptr, &huge);
  BindWithStride(few, kVertexBytes);
  BindPipeline(wide);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Destroy(vertices);
  Destroy(few);
  for (const Rendering& rendering : {wide, narrow, instances, fixed}) Destroy(rendering);
  Close();
}

int main() {
  BytesAsVertices();
  DrawsUpToTheLastByte();
  InputsThatCommandsSet();
  StridesThatCommandsSet();
}
