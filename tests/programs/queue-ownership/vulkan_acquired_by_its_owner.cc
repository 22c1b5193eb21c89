// Defect: A queue family that uses a buffer acquires it from another family, which never had it.
// Fix: The family uses the buffer without an acquisition.
// EXPECT error queue-ownership vkQueueSubmit at SUBMIT
// EXPECT-FACT vuid=VUID-vkQueueSubmit-pSubmits-02207
#include "common/vulkan.h"

int main() {
  Open({.second_family = true});
  const Buffer source = MakeStaging(4096), buffer = MakeBuffer(4096);
  const VkBufferCopy all = {0, 0, 4096};
  Begin();
  vkCmdCopyBuffer(commands, source.handle, buffer.handle, 1, &all);
  Run();
  Begin();
#ifdef DEFECT
  VkBufferMemoryBarrier acquire = {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
  acquire.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  acquire.srcQueueFamilyIndex = SecondFamily();
  acquire.dstQueueFamilyIndex = family;
  acquire.buffer = buffer.handle;
  acquire.size = VK_WHOLE_SIZE;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                       0, nullptr, 1, &acquire, 0, nullptr);
#endif
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo info = SubmitInfo();
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(source, buffer);
}
