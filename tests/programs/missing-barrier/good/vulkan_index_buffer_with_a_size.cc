// Draws with the indices that vkCmdBindIndexBuffer2KHR binds in place of those that were just
// filled.
#include "common/vulkan_rendering.h"

using BindIndexBuffer2 = void(VKAPI_PTR*)(VkCommandBuffer, VkBuffer, VkDeviceSize offset,
                                          VkDeviceSize bytes, VkIndexType);

int main() {
  OpenForRendering(/*test_device=*/true);
  const auto bind =
      reinterpret_cast<BindIndexBuffer2>(vkGetDeviceProcAddr(device, "vkCmdBindIndexBuffer2KHR"));
  NEEDS(bind != nullptr);
  const Rendering rendering = MakeRendering();
  const Buffer filled = MakeBuffer(64, kCopies | VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const Buffer indices = MakeBuffer(64, kCopies | VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  Begin();
  vkCmdFillBuffer(commands, indices.handle, 0, VK_WHOLE_SIZE, 0);
  Run();
  Begin();
  vkCmdFillBuffer(commands, filled.handle, 0, VK_WHOLE_SIZE, 0);
  BeginRendering(rendering, 0);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, rendering.draws);
  vkCmdBindIndexBuffer(commands, filled.handle, 0, VK_INDEX_TYPE_UINT16);
  bind(commands, indices.handle, 0, 6, VK_INDEX_TYPE_UINT16);
  vkCmdDrawIndexed(commands, 3, 1, 0, 0, 0);
  vkCmdEndRendering(commands);
  Run();
  Destroy(filled);
  Destroy(indices);
  Destroy(rendering);
  Close();
}
