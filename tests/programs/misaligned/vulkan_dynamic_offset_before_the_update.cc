// Defect: A dynamic offset of a set that is never updated is not a multiple of the limit of the device.
// Fix: It is.
// EXPECT error misaligned vkCmdBindDescriptorSets at BIND
// EXPECT-FACT vuid=VUID-vkCmdBindDescriptorSets-pDynamicOffsets-01971
#include "common/vulkan_sets.h"

int main() {
  Open();
  const uint32_t alignment = static_cast<uint32_t>(Limits().minUniformBufferOffsetAlignment);
  NEEDS(alignment > 4 && alignment <= 256);
  const OneSet set = MakeSet(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC);
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
  Close(set);
}
