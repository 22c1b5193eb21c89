// Defect: A storage buffer is pushed as a uniform buffer, which the layout does not have there.
// Fix: The type is that of the layout.
// EXPECT error binding-invalid vkCmdPushDescriptorSetKHR at PUSH
// EXPECT-FACT vuid=VUID-VkWriteDescriptorSet-descriptorType-00319
// EXIT any
#include "common/vulkan_pushes.h"

int main() {
  OpenForPushes();
  const PushLayout layout = MakePushLayout();
  const Buffer buffer =
      MakeBuffer(4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const VkDescriptorBufferInfo info = {buffer.handle, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
#ifdef DEFECT
  write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
#endif
  write.pBufferInfo = &info;
  Begin();
  // @PUSH
  push_set(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout.layout, 0, 1, &write);
  OK(vkEndCommandBuffer(commands));
  Close(buffer, layout);
}
