// Shaders access buffers by their addresses.
#include <unistd.h>

#include "common/vulkan_barriers.h"
#include "common/vulkan_compute.h"
#include "common/vulkan_pushed_addresses.h"
#include "shaders/address.comp.h"

// Shaders access buffers by addresses in their push constants: disjoint parts of one buffer without a
// barrier, the last bytes of a buffer with a neighbor in the same memory, a buffer that took the place
// of a destroyed one, and work that does not run after its buffer is destroyed.
static void Order() {
  MemoryBarrier(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
                VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
}

static VkBuffer Bound(VkDeviceMemory memory, VkDeviceSize bytes, VkDeviceSize offset) {
  VkBuffer buffer;
  const VkBufferCreateInfo info = BufferInfo(bytes, kByAddress);
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  OK(vkBindBufferMemory(device, buffer, memory, offset));
  return buffer;
}

static void AddressesInPushConstants() {
  OpenForShaders();
  const Pushing number = MakePushing(address_comp, sizeof(VkDeviceAddress)),
                moved = MakePushing(moved_comp, sizeof(Moved));
  VkBuffer probe;
  const VkBufferCreateInfo info = BufferInfo(65536, kByAddress);
  OK(vkCreateBuffer(device, &info, nullptr, &probe));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, probe, &needs);
  vkDestroyBuffer(device, probe, nullptr);
  const VkDeviceMemory memory = AllocateAddressed(2 * 65536, needs.memoryTypeBits);
  VkBuffer first = Bound(memory, 65536, 0);
  const VkBuffer second = Bound(memory, 65536, 65536);
  const Buffer target = MakeBuffer(1024);
  const VkDeviceAddress at = AddressOf(first);

  Begin();
  Dispatch(number, at, 1);
  Dispatch(number, at + 256, 1);
  Dispatch(number, at + 512, 1);
  const VkBufferCopy apart = {768, 0, 256};
  vkCmdCopyBuffer(commands, first, target.handle, 1, &apart);
  Order();
  // The words that the second dispatch of each pair reads and writes are behind those of the first.
  Dispatch(moved, Moved{0, 64, at}, 4);
  Dispatch(moved, Moved{64, 64, at}, 1);
  Dispatch(moved, Moved{0, 0, at}, 4);
  Order();
  // The last words of the first buffer.
  Dispatch(number, at + 65536 - 256, 1);
  Run();

  // Destroyed and bound again: the address may be the same.
  vkDestroyBuffer(device, first, nullptr);
  first = Bound(memory, 65536, 0);
  Begin();
  Dispatch(number, AddressOf(first), 1);
  Run();

  // The work that has the address of the destroyed buffer does not run.
  Buffer gone = MakeAddressedBuffer(1024);
  Begin();
  Dispatch(number, AddressOf(gone.handle), 4);
  OK(vkEndCommandBuffer(commands));
  Destroy(gone);
  OK(vkResetCommandBuffer(commands, 0));

  Close(first, second, memory, target, number, moved);
}

// A shader writes mapped memory by its address, behind a copy from it, while the program maps and
// unmaps it: what changes there is not the host's doing.
static void WrittenByAddress() {
  VkPhysicalDeviceBufferDeviceAddressFeatures features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
  features.bufferDeviceAddress = VK_TRUE;
  Open({.features = &features});
  VkBuffer buffer;
  const VkBufferCreateInfo info =
      BufferInfo(1024, kCopies | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
  OK(vkCreateBuffer(device, &info, nullptr, &buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  VkMemoryAllocateFlagsInfo flags = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags};
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = MemoryType(needs.memoryTypeBits, kHostMemory);
  VkDeviceMemory memory;
  OK(vkAllocateMemory(device, &allocate, nullptr, &memory));
  OK(vkBindBufferMemory(device, buffer, memory, 0));
  VkBufferDeviceAddressInfo ask = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
  ask.buffer = buffer;
  const VkDeviceAddress address = vkGetBufferDeviceAddress(device, &ask);
  const Buffer target = MakeBuffer(1024);

  const VkPushConstantRange told = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(address)};
  VkPipelineLayoutCreateInfo layout_info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout_info.pushConstantRangeCount = 1;
  layout_info.pPushConstantRanges = &told;
  VkPipelineLayout layout;
  OK(vkCreatePipelineLayout(device, &layout_info, nullptr, &layout));
  const VkPipeline pipeline = MakeComputePipeline(layout, address_comp, sizeof(address_comp));

  void* data;
  OK(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &data));
  memset(data, 0, 1024);
  vkUnmapMemory(device, memory);
  Begin();
  const VkBufferCopy all = {0, 0, 1024};
  vkCmdCopyBuffer(commands, buffer, target.handle, 1, &all);
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(address), &address);
  vkCmdDispatch(commands, 4, 1, 1);
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                       0, 1, &barrier, 0, nullptr, 0, nullptr);
  OK(vkEndCommandBuffer(commands));
  const VkSubmitInfo submit = SubmitInfo();
  OK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
  // The program looks at nothing there: what it finds between the two is not its own.
  OK(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &data));
  usleep(100000);
  vkUnmapMemory(device, memory);
  OK(vkQueueWaitIdle(queue));
  Close(pipeline, layout, buffer, memory, target);
}

int main() {
  AddressesInPushConstants();
  WrittenByAddress();
}
