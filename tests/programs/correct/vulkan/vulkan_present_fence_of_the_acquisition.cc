// Each image of a swapchain has a command buffer of its own. The fence of an acquisition shows that the last
// presentation of the image is complete, and with it the frame that it waited for: the command buffer is recorded again
// without another wait.
#include "common/vulkan_window.h"

int main() {
  const Window window = OpenWindow();
  const size_t count = window.images.size();
  std::vector<VkCommandBuffer> buffers(count);
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = static_cast<uint32_t>(count);
  OK(vkAllocateCommandBuffers(device, &allocate, buffers.data()));
  const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  std::vector<VkSemaphore> drawn(count);
  for (VkSemaphore& one : drawn) OK(vkCreateSemaphore(device, &semaphore_info, nullptr, &one));
  const VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence acquired;
  OK(vkCreateFence(device, &fence_info, nullptr, &acquired));
  for (int frame = 0; frame < 12; ++frame) {
    uint32_t index;
    OK(vkAcquireNextImageKHR(device, window.swapchain, ~0ull, VK_NULL_HANDLE, acquired, &index));
    OK(vkWaitForFences(device, 1, &acquired, VK_TRUE, ~0ull));
    OK(vkResetFences(device, 1, &acquired));
    commands = buffers[index];
    Begin();
    CmdClear(window.images[index]);
    OK(vkEndCommandBuffer(commands));
    VkSubmitInfo info = SubmitInfo();
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &drawn[index];
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    VkPresentInfoKHR present = PresentInfo(window, &index);
    present.pWaitSemaphores = &drawn[index];
    OK(vkQueuePresentKHR(queue, &present));
  }
  vkDeviceWaitIdle(device);
  vkDestroyFence(device, acquired, nullptr);
  for (VkSemaphore one : drawn) vkDestroySemaphore(device, one, nullptr);
  CloseWindow(window);
}
