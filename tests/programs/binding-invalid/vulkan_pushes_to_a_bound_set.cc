// Defect: Descriptors are pushed to a set whose layout was not created for that.
// Fix: The layout is created with the flag for push descriptors.
// EXPECT error binding-invalid vkCmdPushDescriptorSetKHR at PUSH
// EXPECT-FACT vuid=VUID-vkCmdPushDescriptorSet-set-00365
// EXIT any
#include "common/vulkan_pushes.h"

int main() {
  OpenForPushes();
  VkDescriptorSetLayoutCreateFlags flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
#ifdef DEFECT
  flags = 0;
#endif
  const PushLayout layout = MakePushLayout(flags);
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const VkDescriptorBufferInfo info = {buffer.handle, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = &info;
  Begin();
  // @PUSH
  push_set(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout.layout, 0, 1, &write);
  OK(vkEndCommandBuffer(commands));
  Close(buffer, layout);
}
