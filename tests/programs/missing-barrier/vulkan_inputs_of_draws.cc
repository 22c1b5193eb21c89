// Defect: Draws read indices, vertices or parameters that were just filled, and nothing orders the
// two.
// Fix: A barrier orders the fill and the draw.
#include "common/vulkan_barriers.h"
#include "common/vulkan_deferred.h"
#include "common/vulkan_rendering.h"
#include "common/vulkan_secondary.h"
#include "common/vulkan_vertices.h"

// Defect: A draw with a vertex input that vkCmdSetVertexInputEXT set reads vertices that were just
// filled, and nothing orders the two. Fix: A barrier makes the vertices visible to the draw.
// EXPECT error missing-barrier vkCmdDraw at DRAW
// EXPECT-PARTY earlier-access at FILL
// EXPECT-FACT later_access=VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT
static void VerticesOfADynamicInput() {
  OpenForDynamicInputs();
  const Rendering rendering = MakeDynamicInputs();
  const Buffer vertices = MakeBuffer(3 * kVertexBytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  Begin();
  // @FILL
  vkCmdFillBuffer(commands, vertices.handle, 0, VK_WHOLE_SIZE, 0);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT);
#endif
  BeginRendering(rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
  SetInput(0, kVertexBytes);
  const VkDeviceSize none = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &none);
  // @DRAW
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Close(vertices, rendering);
}

// Defect: A secondary command buffer draws inside of dynamic rendering with indices and parameters
// that the primary one has just filled, and nothing orders the two.
// Fix: A barrier orders the fills and the draws.
// EXPECT error missing-barrier vkCmdDrawIndexedIndirect at DRAW_2
// EXPECT-PARTY earlier-access at PARAMETERS
// EXPECT error missing-barrier vkCmdDrawIndexedIndirect at DRAW_2
// EXPECT-PARTY earlier-access at INDICES
static void InputsOfASecondaryBuffer() {
  OpenForRendering();
  const Rendering rendering = MakeRendering();
  const Buffer indices = MakeBuffer(64, kCopies | VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const Buffer parameters = MakeBuffer(64, kCopies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  const VkCommandBuffer secondary = MakeSecondary();
  VkCommandBufferInheritanceRenderingInfo formats = RenderingFormats();
  VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  inheritance.pNext = &formats;
  BeginSecondary(secondary, inheritance);
  vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
  vkCmdBindIndexBuffer(secondary, indices.handle, 0, VK_INDEX_TYPE_UINT16);
  // @DRAW_2
  vkCmdDrawIndexedIndirect(secondary, parameters.handle, 0, 1, 0);
  OK(vkEndCommandBuffer(secondary));
  Begin();
  // @INDICES
  vkCmdFillBuffer(commands, indices.handle, 0, VK_WHOLE_SIZE, 0);
  // @PARAMETERS
  vkCmdFillBuffer(commands, parameters.handle, 0, VK_WHOLE_SIZE, 0);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                VK_ACCESS_INDEX_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
#endif
  BeginRendering(rendering, VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT);
  vkCmdExecuteCommands(commands, 1, &secondary);
  vkCmdEndRendering(commands);
  Run();
  Close(indices, parameters, rendering);
}

// Defect: Draws with indices that were just filled and are bound by vkCmdBindIndexBuffer2KHR, and
// nothing orders the two.
// Fix: Draws with the indices that vkCmdBindIndexBuffer2KHR binds in place of those that were just
// filled.
// EXPECT error missing-barrier vkCmdDrawIndexed at DRAW_3
// EXPECT-PARTY earlier-access at FILL_2
using BindIndexBuffer2 = void(VKAPI_PTR*)(VkCommandBuffer, VkBuffer, VkDeviceSize offset,
                                          VkDeviceSize bytes, VkIndexType);

static void IndexBufferWithASize() {
  OpenForRendering(/*test_device=*/true);
  const auto bind =
      reinterpret_cast<BindIndexBuffer2>(vkGetDeviceProcAddr(device, "vkCmdBindIndexBuffer2KHR"));
  NEEDS(bind != nullptr);
  const Rendering rendering = MakeRendering();
#ifndef DEFECT
  const Buffer filled = MakeBuffer(64, kCopies | VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
#endif
  const Buffer indices = MakeBuffer(64, kCopies | VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  Begin();
  // @FILL_2
  vkCmdFillBuffer(commands, indices.handle, 0, VK_WHOLE_SIZE, 0);
#ifndef DEFECT
  Run();
  Begin();
  vkCmdFillBuffer(commands, filled.handle, 0, VK_WHOLE_SIZE, 0);
#endif
  BeginRendering(rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
#ifndef DEFECT
  vkCmdBindIndexBuffer(commands, filled.handle, 0, VK_INDEX_TYPE_UINT16);
#endif
  bind(commands, indices.handle, 0, 6, VK_INDEX_TYPE_UINT16);
  // @DRAW_3
  vkCmdDrawIndexed(commands, 3, 1, 0, 0, 0);
  vkCmdEndRendering(commands);
  Run();
#ifndef DEFECT
  Destroy(filled);
#endif
  Close(indices, rendering);
}

// Defect: vkCmdDrawMultiIndexedEXT draws with indices that were just filled, and nothing orders the
// two.
// Fix: A barrier makes the indices visible to the draws.
// EXPECT error missing-barrier vkCmdDrawMultiIndexedEXT at DRAW_4
// EXPECT-PARTY earlier-access at FILL_3
// EXPECT-FACT later_access=VK_ACCESS_2_INDEX_READ_BIT
static void IndicesOfSeveralDraws() {
  VkPhysicalDeviceMultiDrawFeaturesEXT features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT};
  features.multiDraw = VK_TRUE;
  Open({.extensions = {VK_EXT_MULTI_DRAW_EXTENSION_NAME}, .features = &features});
  const auto draw_all = reinterpret_cast<PFN_vkCmdDrawMultiIndexedEXT>(
      vkGetDeviceProcAddr(device, "vkCmdDrawMultiIndexedEXT"));
  NEEDS(draw_all != nullptr);
  const Image image = MakeImage(PassImage());
  const Pass pass =
      MakePass(image.handle, VK_ATTACHMENT_LOAD_OP_CLEAR, nullptr, VK_IMAGE_LAYOUT_UNDEFINED);
  const VkPipelineLayout layout = MakePipelineLayout();
  const VkPipeline draws = MakeDraws(pass.pass, 0, layout, red_frag, sizeof(red_frag));
  const Buffer indices = MakeBuffer(64, kCopies | VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const VkClearValue clear = {};
  const VkRenderPassBeginInfo begin = PassBegin(pass, &clear);
  Begin();
  // @FILL_3
  vkCmdFillBuffer(commands, indices.handle, 0, VK_WHOLE_SIZE, 0);
#ifndef DEFECT
  MemoryBarrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, VK_ACCESS_INDEX_READ_BIT);
#endif
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draws);
  vkCmdBindIndexBuffer(commands, indices.handle, 0, VK_INDEX_TYPE_UINT16);
  const VkMultiDrawIndexedInfoEXT both[2] = {{0, 3, 0}, {3, 3, 0}};
  // @DRAW_4
  draw_all(commands, 2, both, 1, 0, sizeof(both[0]), nullptr);
  vkCmdEndRenderPass(commands);
  Run();
  Close(draws, layout, indices, pass, image);
}

int main() {
  VerticesOfADynamicInput();
  InputsOfASecondaryBuffer();
  IndexBufferWithASize();
  IndicesOfSeveralDraws();
}
