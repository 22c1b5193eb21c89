// Defect: Draws with indices that were just filled and are bound by vkCmdBindIndexBuffer2KHR, and
// nothing orders the two.
// Fix: Draws with the indices that vkCmdBindIndexBuffer2KHR binds in place of those that were just
// filled.
// EXPECT error missing-barrier vkCmdDrawIndexed at DRAW
// EXPECT-PARTY earlier-access at FILL
#include "common/vulkan_rendering.h"

using BindIndexBuffer2 = void(VKAPI_PTR*)(VkCommandBuffer, VkBuffer, VkDeviceSize offset,
                                          VkDeviceSize bytes, VkIndexType);

int main() {
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
  // @FILL
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
  // @DRAW
  vkCmdDrawIndexed(commands, 3, 1, 0, 0, 0);
  vkCmdEndRendering(commands);
  Run();
#ifndef DEFECT
  Destroy(filled);
#endif
  Close(indices, rendering);
}
