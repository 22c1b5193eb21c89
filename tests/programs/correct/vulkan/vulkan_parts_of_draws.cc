// Draws read buffers of which only a part is written, and capture to a part of a buffer.
#include "common/vulkan_captures.h"
#include "common/vulkan_vertices.h"
#include "shaders/shade.vert.h"

// Draws from buffers of which only a part is written: vertices that indices choose, indices of a
// range, parameters with gaps between them, memory that the host writes, an attribute on which
// nothing depends; and draws of nothing from buffers that nothing has written.
// `inputs.vertices` holds corners. Binding 1 provides what has the weight 0, and is not drawn.
static VkPipeline MakeShades(VkPipelineLayout layout) {
  const VkVertexInputBindingDescription bindings[] = {
      {0, kVertexBytes, VK_VERTEX_INPUT_RATE_VERTEX},
      {1, kVertexBytes, VK_VERTEX_INPUT_RATE_VERTEX}};
  const VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0},
                                                          {1, 1, VK_FORMAT_R32G32_SFLOAT, 0},
                                                          {2, 1, VK_FORMAT_R32G32_SFLOAT, 0}};
  VkPipelineVertexInputStateCreateInfo inputs = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  inputs.vertexBindingDescriptionCount = 2;
  inputs.pVertexBindingDescriptions = bindings;
  inputs.vertexAttributeDescriptionCount = 3;
  inputs.pVertexAttributeDescriptions = attributes;
  VkPipelineRenderingCreateInfo formats = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  formats.colorAttachmentCount = 1;
  formats.pColorAttachmentFormats = &kRenderingFormat;
  return MakeDraws(VK_NULL_HANDLE, 0, layout, red_frag, sizeof(red_frag), &formats, &inputs,
                   nullptr, shade_vert, sizeof(shade_vert));
}

static void InputsWrittenInPart() {
  OpenForDrawCounts();
  const Inputs inputs = MakeInputs();
  const Buffer nothing =
      MakeBuffer(kInputBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const Buffer mapped = MakeBuffer(
      256, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, kHostMemory);
  void* data;
  OK(vkMapMemory(device, mapped.memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 0, 256);
  const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, 4};
  VkPipelineLayoutCreateInfo layout_info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout_info.pushConstantRangeCount = 1;
  layout_info.pPushConstantRanges = &range;
  VkPipelineLayout layout;
  OK(vkCreatePipelineLayout(device, &layout_info, nullptr, &layout));
  const VkPipeline shades = MakeShades(layout);

  Begin();
  Fill(inputs.vertices, 1024, 1024);
  Fill(inputs.indices, 8, 8);
  Fill(inputs.parameters, 0, sizeof(VkDrawIndirectCommand));
  Fill(inputs.parameters, 256, 4);
  BeginInputDraws(inputs);
  vkCmdDraw(commands, 3, 1, 128, 0);
  vkCmdDrawIndexed(commands, 3, 1, 4, 128, 0);
  vkCmdDrawIndirect(commands, inputs.parameters.handle, 0, 1, 0);
  vkCmdDrawIndirectCount(commands, inputs.parameters.handle, 0, inputs.parameters.handle, 256, 2,
                         64);
  vkCmdDrawIndirect(commands, mapped.handle, 0, 1, 0);
  const VkDeviceSize zero = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &mapped.handle, &zero);
  vkCmdDraw(commands, 3, 1, 0, 0);
  // Nothing is drawn.
  vkCmdBindVertexBuffers(commands, 0, 1, &nothing.handle, &zero);
  vkCmdBindIndexBuffer(commands, nothing.handle, 0, VK_INDEX_TYPE_UINT16);
  vkCmdDraw(commands, 0, 1, 0, 0);
  vkCmdDraw(commands, 3, 0, 0, 0);
  vkCmdDrawIndexed(commands, 0, 1, 0, 0, 0);
  vkCmdDrawIndirect(commands, inputs.parameters.handle, 0, 1, 0);
  vkCmdDrawIndirect(commands, inputs.parameters.handle, 512, 0, 0);
  // Nothing depends on binding 1.
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, shades);
  const float weight = 0;
  vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, 4, &weight);
  const VkBuffer buffers[] = {mapped.handle, nothing.handle};
  const VkDeviceSize offsets[] = {0, 0};
  vkCmdBindVertexBuffers(commands, 0, 2, buffers, offsets);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Close(shades, layout, inputs, nothing, mapped);
}

// Transform feedback captures to one part of a buffer while copies use the other, is paused and
// resumed with its counter, and the captured vertices are counted by both accesses that a barrier
// may name for the counter.
static void Capture(const Captures& made, VkDeviceSize offset, VkDeviceSize size, bool resumes) {
  BeginDraws(made);
  bind_captures(commands, 0, 1, &made.positions.handle, &offset, &size);
  begin_captures(commands, 0, resumes ? 1 : 0, &made.counter.handle, nullptr);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdDraw(commands, 3, 1, 0, 0);
  end_captures(commands, 0, 1, &made.counter.handle, nullptr);
  vkCmdEndRenderPass(commands);
  OrderPasses();
}

static void CapturesInParts() {
  OpenForCaptures();
  const Captures made = MakeCaptures();
  const VkDeviceSize half = kCapturedBytes / 2;
  Begin();
  vkCmdFillBuffer(commands, made.positions.handle, half, half, 0);
  Capture(made, 0, half, false);
  Order(kCaptureStage, kCounted, kCaptureStage,
        VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT | kCounted);
  Capture(made, 0, half, true);
  Order(kCaptureStage, kCounted, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
        VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT);
  BeginDraws(made);
  draw_captured(commands, 1, 0, made.counter.handle, 0, 0, 16);
  vkCmdEndRenderPass(commands);
  Order(kCaptureStage, kCaptured, VK_PIPELINE_STAGE_TRANSFER_BIT,
        VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
  const VkBufferCopy copy = {0, half, half};
  Order(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
        VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
  vkCmdCopyBuffer(commands, made.positions.handle, made.positions.handle, 1, &copy);
  Run();
  // Without a draw, and with a buffer that the shader does not capture to.
  Begin();
  BeginDraws(made);
  const VkDeviceSize zero = 0;
  const Buffer other = MakeBuffer(256, kCopies | VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
  bind_captures(commands, 1, 1, &other.handle, &zero, nullptr);
  begin_captures(commands, 0, 0, nullptr, nullptr);
  vkCmdDraw(commands, 3, 1, 0, 0);
  end_captures(commands, 0, 0, nullptr, nullptr);
  begin_captures(commands, 0, 0, nullptr, nullptr);
  end_captures(commands, 0, 0, nullptr, nullptr);
  vkCmdEndRenderPass(commands);
  vkCmdFillBuffer(commands, other.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Close(other, made);
}

int main() {
  InputsWrittenInPart();
  CapturesInParts();
}
