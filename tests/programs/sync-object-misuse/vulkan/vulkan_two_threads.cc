// Defect descriptor_pool: Two threads allocate sets from one descriptor pool at the same time.
// EXPECT error sync-object-misuse vkAllocateDescriptorSets at SECOND
// EXPECT-PARTY other-thread at FIRST
// EXPECT-FACT other_call=vkAllocateDescriptorSets
// Defect fence: A thread submits work with a fence while another thread is inside of a reset of the
// fence.
// EXPECT error sync-object-misuse vkQueueSubmit at SECOND_2
// EXPECT-PARTY other-thread at FIRST_2
// EXPECT-FACT other_call=vkResetFences
// Defect memory: A thread maps memory while another thread is inside of the call that unmaps it.
// EXPECT error sync-object-misuse vkMapMemory at SECOND_3
// EXPECT-PARTY other-thread at FIRST_3
// EXPECT-FACT other_call=vkUnmapMemory
// Defect queue: A thread waits for a queue while another thread is inside of a submission to it.
// EXPECT error sync-object-misuse vkQueueWaitIdle at SECOND_4
// EXPECT-PARTY other-thread at FIRST_4
// EXPECT-FACT other_call=vkQueueSubmit
// Defect device_idle: A thread waits for the device, and so for all its queues, while another
// thread is inside of a submission to one of them.
// EXPECT error sync-object-misuse vkDeviceWaitIdle at SECOND_5
// EXPECT-PARTY other-thread at FIRST_5
// EXPECT-FACT other_call=vkQueueSubmit
// Defect submission: A thread submits to a queue while another thread is inside of a wait for the
// device, and so for all its queues.
// EXPECT error sync-object-misuse vkQueueSubmit at SECOND_6
// EXPECT-PARTY other-thread at FIRST_6
// EXPECT-FACT other_call=vkDeviceWaitIdle
// Fix: Both threads hold a mutex during their calls.
// EXIT any
#include "common/vulkan_sets.h"
#include "common/vulkan_threads.h"

// Fix: Both threads hold a mutex during their calls.
static VkDescriptorSetAllocateInfo allocate = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
static VkDescriptorSet sets[2];

static void AllocateSecond() {
#ifndef DEFECT_descriptor_pool
  const Lock lock;
#endif
  // @SECOND
  OK(vkAllocateDescriptorSets(device, &allocate, &sets[1]));
}

static void DescriptorPool() {
  const OneSet made = MakeSet(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
  VkDescriptorPoolCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  info.maxSets = 2;
  info.poolSizeCount = 1;
  info.pPoolSizes = &size;
  OK(vkCreateDescriptorPool(device, &info, nullptr, &allocate.descriptorPool));
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &made.set_layout;
  CallInside("vkAllocateDescriptorSets", [] { RunBeside(AllocateSecond); });
  {
#ifndef DEFECT_descriptor_pool
    const Lock lock;
#endif
    // @FIRST
    OK(vkAllocateDescriptorSets(device, &allocate, &sets[0]));
  }
  JoinSecond();
  Destroy(allocate.descriptorPool, made);
}

// Fix: Both threads hold a mutex during their calls.
static VkFence fence;

static void FenceSecond() {
#ifndef DEFECT_fence
  const Lock lock;
#endif
  // @SECOND_2
  OK(vkQueueSubmit(queue, 0, nullptr, fence));
}

static void Fence() {
  const VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  OK(vkCreateFence(device, &info, nullptr, &fence));
  CallInside("vkResetFences", [] { RunBeside(FenceSecond); });
  {
#ifndef DEFECT_fence
    const Lock lock;
#endif
    // @FIRST_2
    OK(vkResetFences(device, 1, &fence));
  }
  JoinSecond();
  OK(vkQueueWaitIdle(queue));
  Destroy(fence);
}

// Fix: Both threads hold a mutex during their calls.
static Buffer buffer;

static void MemoryUnmappedSecond() {
#ifndef DEFECT_memory
  const Lock lock;
#endif
  void* data;
  // @SECOND_3
  OK(vkMapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &data));
}

static void MemoryUnmappedBesideAMap() {
  buffer = MakeBuffer(1024, kCopies, kHostMemory);
  void* data;
  OK(vkMapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &data));
  CallInside("vkUnmapMemory", [] { RunBeside(MemoryUnmappedSecond); });
  {
#ifndef DEFECT_memory
    const Lock lock;
#endif
    // @FIRST_3
    vkUnmapMemory(device, buffer.memory);
  }
  JoinSecond();
  Destroy(buffer);
}

// Fix: Both threads hold a mutex during their calls.
static void QueueSecond() {
#ifndef DEFECT_queue
  const Lock lock;
#endif
  // @SECOND_4
  OK(vkQueueWaitIdle(queue));
}

static void Queue() {
  Begin();
  OK(vkEndCommandBuffer(commands));
  CallInside("vkQueueSubmit", [] { RunBeside(QueueSecond); });
  {
#ifndef DEFECT_queue
    const Lock lock;
#endif
    const VkSubmitInfo info = SubmitInfo();
    // @FIRST_4
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  }
  JoinSecond();
  OK(vkQueueWaitIdle(queue));
}

// Fix: Both threads hold a mutex during their calls.
static void DeviceIdleSecond() {
#ifndef DEFECT_device_idle
  const Lock lock;
#endif
  // @SECOND_5
  OK(vkDeviceWaitIdle(device));
}

static void DeviceIdle() {
  Begin();
  OK(vkEndCommandBuffer(commands));
  CallInside("vkQueueSubmit", [] { RunBeside(DeviceIdleSecond); });
  {
#ifndef DEFECT_device_idle
    const Lock lock;
#endif
    const VkSubmitInfo info = SubmitInfo();
    // @FIRST_5
    OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  }
  JoinSecond();
  OK(vkDeviceWaitIdle(device));
}

// Fix: Both threads hold a mutex during their calls.
static void SubmissionSecond() {
#ifndef DEFECT_submission
  const Lock lock;
#endif
  const VkSubmitInfo info = SubmitInfo();
  // @SECOND_6
  OK(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
}

static void Submission() {
  Begin();
  OK(vkEndCommandBuffer(commands));
  CallInside("vkDeviceWaitIdle", [] { RunBeside(SubmissionSecond); });
  {
#ifndef DEFECT_submission
    const Lock lock;
#endif
    // @FIRST_6
    OK(vkDeviceWaitIdle(device));
  }
  JoinSecond();
  OK(vkDeviceWaitIdle(device));
}

int main() {
  OpenForThreads();
  DescriptorPool();
  Fence();
  MemoryUnmappedBesideAMap();
  Queue();
  DeviceIdle();
  Submission();
  Close();
}
