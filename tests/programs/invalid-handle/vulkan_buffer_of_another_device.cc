// Defect: Records a copy from a buffer that belongs to another device.
// Fix: Records a copy from a buffer of the same device.
// EXPECT error invalid-handle vkCmdCopyBuffer at COPY
// EXPECT-FACT argument=srcBuffer
// EXPECT-FACT vuid=VUID-vkCmdCopyBuffer-commonparent
#include "common/vulkan_devices.h"

int main() {
  Open();
  const VkDevice first = device;
  VkDevice second = MakeDevice();
#ifdef DEFECT
  device = second;
#else
  device = first;
#endif
  const Buffer source = MakeStaging(4096);
  device = first;
  const Buffer target = MakeBuffer(4096);
  Begin();
  const VkBufferCopy all = {0, 0, 4096};
  // @COPY
  vkCmdCopyBuffer(commands, source.handle, target.handle, 1, &all);
  // It is not submitted.
  OK(vkEndCommandBuffer(commands));
  Destroy(target);
#ifdef DEFECT
  device = second;
#else
  device = first;
#endif
  Destroy(source);
  vkDestroyDevice(second, nullptr);
  device = first;
  Close();
}
