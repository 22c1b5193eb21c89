// Three frames in flight, each with a fence, a command buffer and buffers of its own; the program
// waits for a fence only when the ring comes around.
#include "common/vulkan.h"

int main() {
  Open();
  constexpr int kFrames = 3;
  VkCommandBuffer buffers[kFrames];
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = kFrames;
  OK(vkAllocateCommandBuffers(device, &allocate, buffers));
  VkFence fences[kFrames];
  Buffer staging[kFrames], target[kFrames];
  for (int i = 0; i < kFrames; ++i) {
    VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    info.flags = VK_FENCE_CREATE_SIGNALED_BIT;
    OK(vkCreateFence(device, &info, nullptr, &fences[i]));
    staging[i] = MakeStaging(4096, i);
    target[i] = MakeBuffer(4096);
  }
  const VkBufferCopy all = {0, 0, 4096};
  for (int frame = 0; frame < 20; ++frame) {
    const int i = frame % kFrames;
    OK(vkWaitForFences(device, 1, &fences[i], VK_TRUE, UINT64_MAX));
    OK(vkResetFences(device, 1, &fences[i]));
    VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    OK(vkBeginCommandBuffer(buffers[i], &begin));
    vkCmdCopyBuffer(buffers[i], staging[i].handle, target[i].handle, 1, &all);
    OK(vkEndCommandBuffer(buffers[i]));
    VkSubmitInfo info = SubmitInfo();
    info.pCommandBuffers = &buffers[i];
    OK(vkQueueSubmit(queue, 1, &info, fences[i]));
  }
  OK(vkDeviceWaitIdle(device));
  for (int i = 0; i < kFrames; ++i) {
    vkDestroyFence(device, fences[i], nullptr);
    Destroy(staging[i]);
    Destroy(target[i]);
  }
  Close();
}
