// Defect: The second region of a copy has no bytes.
// Fix: The copy has one region.
// EXPECT error flag-conflict vkCmdCopyBuffer at COPY
// EXPECT-FACT vuid=VUID-VkBufferCopy-size-01988
// EXIT any
#include "common/vulkan.h"

int main() {
  Open();
  const Buffer staging = MakeStaging(4096), target = MakeBuffer(4096);
  Begin();
  const VkBufferCopy regions[2] = {{0, 0, 4096}, {0, 0, 0}};
  uint32_t count = 1;
#ifdef DEFECT
  count = 2;
#endif
  // @COPY
  vkCmdCopyBuffer(commands, staging.handle, target.handle, count, regions);
  OK(vkEndCommandBuffer(commands));
  Close(staging, target);
}
