// Defect: A dynamic offset is not a multiple of the limit of the device.
// Fix: The offset is a multiple of the limit.
#include "common/vulkan_sets.h"

// Defect: A dynamic offset is not a multiple of the limit of the device.
// Fix: It is.
// EXPECT error misaligned vkCmdBindDescriptorSets at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-pDynamicOffsets-01971
static void DynamicOffsetAtAnOddByte() {
  const uint32_t alignment = static_cast<uint32_t>(Limits().minUniformBufferOffsetAlignment);
  NEEDS(alignment > 4 && alignment <= 256);
  const Buffer buffer = MakeBuffer(4096, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC);
  const VkDescriptorBufferInfo range = {buffer.handle, 0, 256};
  VkWriteDescriptorSet write = WriteOne(set, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC);
  write.pBufferInfo = &range;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
#ifdef DEFECT
  const uint32_t offset = 4;
#else
  const uint32_t offset = alignment;
#endif
  Begin();
  // @BIND
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, set.layout, 0, 1, &set.set, 1,
                          &offset);
  OK(vkEndCommandBuffer(commands));
  Destroy(set, buffer);
}

// Defect: A dynamic offset of a set that is never updated is not a multiple of the limit of the device.
// Fix: It is.
// EXPECT error misaligned vkCmdBindDescriptorSets at BIND_2
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-pDynamicOffsets-01971
static void DynamicOffsetBeforeTheUpdate() {
  const uint32_t alignment = static_cast<uint32_t>(Limits().minUniformBufferOffsetAlignment);
  NEEDS(alignment > 4 && alignment <= 256);
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC);
#ifdef DEFECT
  const uint32_t offset = 4;
#else
  const uint32_t offset = alignment;
#endif
  Begin();
  // @BIND_2
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, set.layout, 0, 1, &set.set, 1,
                          &offset);
  OK(vkEndCommandBuffer(commands));
  Destroy(set);
}

int main() {
  Open();
  DynamicOffsetAtAnOddByte();
  DynamicOffsetBeforeTheUpdate();
  Close();
}
