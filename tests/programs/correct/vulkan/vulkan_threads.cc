// Threads record into pools of their own, or share a queue and pools behind a mutex.
#include <thread>
#include <vector>

#include "common/vulkan.h"
#include "common/vulkan_threads.h"
#include "common/vulkan_timeline.h"

// Four threads record into command buffers of their own pools at the same time, and one submission
// takes all of them.
static void FourRecordingThreads() {
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

// Four threads use one queue, one command pool and one descriptor pool, and one of them waits for
// the device: each holds a mutex during its calls. They wait for one fence and query one semaphore
// at the same time, which needs no mutex.
static void ThreadsShareBehindAMutex() {
  OpenWithTimelines();
  constexpr int kThreads = 4, kRounds = 20;
  const VkSemaphore timeline = MakeTimeline();
  const VkFenceCreateInfo fence_info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  OK(vkCreateFence(device, &fence_info, nullptr, &fence));
  Buffer buffers[kThreads];
  for (Buffer& buffer : buffers) buffer = MakeBuffer(4096);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < kRounds; ++round) {
        VkCommandBuffer own;
        {
          const std::lock_guard lock(the_mutex);
          VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
          allocate.commandPool = pool;
          allocate.commandBufferCount = 1;
          OK(vkAllocateCommandBuffers(device, &allocate, &own));
          const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
          OK(vkBeginCommandBuffer(own, &begin));
        }
        for (VkDeviceSize at = 0; at < 4096; at += 256) {
          const std::lock_guard lock(the_mutex);
          vkCmdSetDepthBounds(own, 0, 1);
          vkCmdFillBuffer(own, buffers[i].handle, at, 256, 7);
        }
        {
          const std::lock_guard lock(the_mutex);
          OK(vkEndCommandBuffer(own));
          VkSubmitInfo info = SubmitInfo();
          info.pCommandBuffers = &own;
          OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
          OK(i == 0 ? vkDeviceWaitIdle(device) : vkQueueWaitIdle(queue));
          vkFreeCommandBuffers(device, pool, 1, &own);
        }
        uint64_t value;
        OK(vkGetSemaphoreCounterValue(device, timeline, &value));
        CHECK(value == 0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  OK(vkQueueSubmit(queue, 0, nullptr, fence));
  threads.clear();
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] { OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX)); });
  for (std::thread& thread : threads) thread.join();
  for (const Buffer& buffer : buffers) Destroy(buffer);
  Close(fence, timeline);
}

int main() {
  FourRecordingThreads();
  ThreadsShareBehindAMutex();
}
