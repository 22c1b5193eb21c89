// Dynamic vertex input: set before the pipeline and the buffers; of a binding that changes; from a stride of 0 and one of
// instances; of a location that no shader declares, whose buffer is not bound or is too small; set anew behind a pipeline
// with an input of its own; and behind fills of a buffer that only an earlier input read.
#include "common/vulkan_dynamic_inputs.h"

int main() {
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
