// Four threads record into command buffers of their own pools at the same time, and one submission
// takes all of them.
#include <thread>

#include "common/vulkan.h"

int main() {
  Open();
  constexpr int kThreads = 4, kRounds = 5;
  VkCommandPool pools[kThreads];
  VkCommandBuffer buffers[kThreads];
  Buffer sources[kThreads], targets[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool_info.queueFamilyIndex = family;
    OK(vkCreateCommandPool(device, &pool_info, nullptr, &pools[i]));
    VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    allocate.commandPool = pools[i];
    allocate.commandBufferCount = 1;
    OK(vkAllocateCommandBuffers(device, &allocate, &buffers[i]));
    sources[i] = MakeStaging(64 * 1024, i);
    targets[i] = MakeBuffer(64 * 1024);
  }
  for (int round = 0; round < kRounds; ++round) {
    std::thread threads[kThreads];
    for (int i = 0; i < kThreads; ++i) {
      threads[i] = std::thread([&, i] {
        OK(vkResetCommandPool(device, pools[i], 0));
        VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
        OK(vkBeginCommandBuffer(buffers[i], &begin));
        for (uint64_t at = 0; at < 64 * 1024; at += 256) {
          const VkBufferCopy copy = {at, at, 256};
          vkCmdCopyBuffer(buffers[i], sources[i].handle, targets[i].handle, 1, &copy);
        }
        OK(vkEndCommandBuffer(buffers[i]));
      });
    }
    for (std::thread& thread : threads) thread.join();
    VkSubmitInfo info = SubmitInfo();
    info.commandBufferCount = kThreads;
    info.pCommandBuffers = buffers;
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    OK(vkQueueWaitIdle(queue));
  }
  for (int i = 0; i < kThreads; ++i) {
    vkDestroyCommandPool(device, pools[i], nullptr);
    Destroy(sources[i]);
    Destroy(targets[i]);
  }
  Close();
}
