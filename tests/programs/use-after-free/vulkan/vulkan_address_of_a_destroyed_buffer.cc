// Defect: A shader writes by the address of a buffer that was destroyed. Its memory still exists.
// Fix: The buffer is destroyed after the work.
// EXPECT error use-after-free vkQueueSubmit at SUBMIT
// EXPECT-FACT vuid=VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819
#include "common/vulkan_pushed_addresses.h"

int main() {
  OpenForShaders();
  const Pushing number = MakePushing(address_comp, sizeof(VkDeviceAddress));
  Buffer words = MakeAddressedBuffer(1024);
  const VkDeviceAddress address = AddressOf(words.handle);
#ifdef DEFECT
  vkDestroyBuffer(device, words.handle, nullptr);
  words.handle = VK_NULL_HANDLE;
#endif
  Begin();
  Dispatch(number, address, 4);
  OK(vkEndCommandBuffer(commands));
  VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  // @SUBMIT
  OK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
  OK(vkQueueWaitIdle(queue));
  Close(words, number);
}
