// Dynamic strides: smaller and larger than the ignored one of the pipeline, 0, kept by vkCmdBindVertexBuffers, set before
// the pipeline is bound, set for one binding while another keeps its own, of instances, of a single vertex that ends with
// the buffer, and set anew behind a pipeline with a static stride.
#include "common/vulkan_vertices.h"

static Buffer vertices, few;
static const VkDeviceSize none = 0;

static void BindPipeline(const Rendering& rendering) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
}

int main() {
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
