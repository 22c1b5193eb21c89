// Defect of_an_empty_buffer: Creates a buffer for a list that is empty.
// EXPECT error flag-conflict vkCreateBuffer at CREATE
// EXPECT-FACT vuid=VUID-VkBufferCreateInfo-size-00912
// EXIT any
// Defect of_a_copy: The second region of a copy has no bytes.
// EXPECT error flag-conflict vkCmdCopyBuffer at COPY
// EXPECT-FACT vuid=VUID-VkBufferCopy-size-01988
// EXIT any
// Defect of_dedicated_memory: Allocates 0 bytes of memory that is for one buffer only.
// EXPECT error flag-conflict vkAllocateMemory at ALLOCATE
// EXPECT-FACT vuid=VUID-VkMemoryAllocateInfo-allocationSize-07897
// EXIT any
// Defect above_the_limit: Creates a buffer with one byte more than the device allows.
// EXPECT error flag-conflict vkCreateBuffer at CREATE_2
// EXPECT-FACT vuid=VUID-VkBufferCreateInfo-size-06409
// EXIT any
// Defect larger_than_its_heap: Allocates one byte more than the heap of the memory has.
// EXPECT error flag-conflict vkAllocateMemory at ALLOCATE_2
// EXPECT-FACT vuid=VUID-vkAllocateMemory-pAllocateInfo-01713
// EXIT any
// Defect of_a_type_that_does_not_exist: Allocates memory of a type behind the last one.
// EXPECT error flag-conflict vkAllocateMemory at ALLOCATE_2
// EXPECT-FACT vuid=VUID-vkAllocateMemory-pAllocateInfo-01714
// EXIT any
// Defect of_workgroups: A recorded dispatch has one workgroup in y more than the device allows.
// EXPECT error flag-conflict vkCmdDispatch at DISPATCH
// EXPECT-FACT vuid=VUID-vkCmdDispatch-groupCountY-00387
// Defect of_a_binary_semaphore: Creates a binary semaphore with an initial value.
// EXPECT error flag-conflict vkCreateSemaphore at CREATE_3
// EXPECT-FACT vuid=VUID-VkSemaphoreTypeCreateInfo-semaphoreType-03279
// Fix: The numbers of bytes and workgroups are what the call and the device allow.
#include "common/vulkan.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_sets.h"

// Fix: A buffer has at least one element.
static void OfAnEmptyBuffer() {
  std::vector<uint32_t> list;
#ifndef DEFECT_of_an_empty_buffer
  list.resize(1);
#endif
  const VkBufferCreateInfo info = BufferInfo(list.size() * sizeof(uint32_t));
  VkBuffer buffer;
  // @CREATE
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  Destroy(buffer);
}

// Fix: The copy has one region.
static void OfACopy() {
  const Buffer staging = MakeStaging(4096), target = MakeBuffer(4096);
  Begin();
  const VkBufferCopy regions[2] = {{0, 0, 4096}, {0, 0, 0}};
  uint32_t count = 1;
#ifdef DEFECT_of_a_copy
  count = 2;
#endif
  // @COPY
  vkCmdCopyBuffer(commands, staging.handle, target.handle, count, regions);
  OK(vkEndCommandBuffer(commands));
  Destroy(staging, target);
}

// Fix: Allocates the bytes that the buffer requires.
static void OfDedicatedMemory() {
  VkBufferCreateInfo buffer_info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  buffer_info.size = 4096;
  buffer_info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer buffer;
  OK(vkCreateBuffer(device, &buffer_info, nullptr, &buffer));
  VkMemoryRequirements needed;
  vkGetBufferMemoryRequirements(device, buffer, &needed);
  VkMemoryDedicatedAllocateInfo dedicated = {VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
  dedicated.buffer = buffer;
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &dedicated};
  info.allocationSize = needed.size;
#ifdef DEFECT_of_dedicated_memory
  info.allocationSize = 0;
#endif
  VkDeviceMemory memory;
  // @ALLOCATE
  NEEDS(vkAllocateMemory(device, &info, nullptr, &memory) == VK_SUCCESS);
  Destroy(memory, buffer);
}

// Fix: The buffer has the largest size.
static void AboveTheLimit() {
  VkPhysicalDeviceMaintenance4Properties most = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &most};
  vkGetPhysicalDeviceProperties2(physical, &properties);
  NEEDS(most.maxBufferSize < ~0ull);
#ifdef DEFECT_above_the_limit
  const VkBufferCreateInfo info = BufferInfo(most.maxBufferSize + 1);
#else
  const VkBufferCreateInfo info = BufferInfo(most.maxBufferSize);
#endif
  VkBuffer buffer;
  // @CREATE_2
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  Destroy(buffer);
}

// Fix: Allocates a small part of a heap, of the last type.
static void Memory() {
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.memoryTypeIndex = memory_properties.memoryTypeCount - 1;
  info.allocationSize = 4096;
#ifdef DEFECT_larger_than_its_heap
  const uint32_t heap = memory_properties.memoryTypes[info.memoryTypeIndex].heapIndex;
  info.allocationSize = memory_properties.memoryHeaps[heap].size + 1;
#elif defined(DEFECT_of_a_type_that_does_not_exist)
  ++info.memoryTypeIndex;
#endif
  VkDeviceMemory memory;
  // @ALLOCATE_2
  NEEDS(vkAllocateMemory(device, &info, nullptr, &memory) == VK_SUCCESS);
  Destroy(memory);
}

// Fix: It has the largest number.
static void OfWorkgroups() {
  const Compute compute = MakeCompute();
  const Buffer input = MakeBuffer(2048, kStorage), output = MakeBuffer(4096, kStorage);
  SetBuffers(compute, input.handle, output.handle);
  uint32_t groups = Limits().maxComputeWorkGroupCount[1];
#ifdef DEFECT_of_workgroups
  ++groups;
#endif
  Begin();
  Bind(compute);
  // The program does not submit it.
  // @DISPATCH
  vkCmdDispatch(commands, 1, groups, 1);
  OK(vkEndCommandBuffer(commands));
  Destroy(input, output, compute);
}

// Fix: The initial value is 0.
static void OfABinarySemaphore() {
  VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_BINARY;
#ifdef DEFECT_of_a_binary_semaphore
  type.initialValue = 1;
#endif
  const VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
  VkSemaphore semaphore;
  // @CREATE_3
  OK(vkCreateSemaphore(device, &info, nullptr, &semaphore));
  Destroy(semaphore);
}

int main() {
  Open();
  OfAnEmptyBuffer();
  OfACopy();
  OfDedicatedMemory();
  AboveTheLimit();
  Memory();
  OfWorkgroups();
  OfABinarySemaphore();
  Close();
}
