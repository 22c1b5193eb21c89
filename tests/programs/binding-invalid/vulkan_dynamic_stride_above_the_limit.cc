// Defect: vkCmdBindVertexBuffers2 sets a stride of 1 MiB, which the device does not allow.
// Fix: The stride is the limit of the device.
// EXPECT error binding-invalid vkCmdBindVertexBuffers2 at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindVertexBuffers2-pStrides-03362
#include "common/vulkan_vertices.h"

int main() {
  OpenForRendering();
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  VkDeviceSize stride = properties.limits.maxVertexInputBindingStride;
#ifdef DEFECT
  stride = 1 << 20;
#endif
  const Rendering rendering = MakeStridedRendering(kVertexBytes);
  const Buffer vertices = MakeBuffer(stride * 4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | kCopies);
  Begin();
  const VkDeviceSize offset = 0;
  // @BIND
  vkCmdBindVertexBuffers2(commands, 0, 1, &vertices.handle, &offset, nullptr, &stride);
  OK(vkEndCommandBuffer(commands));
  Close(vertices, rendering);
}
