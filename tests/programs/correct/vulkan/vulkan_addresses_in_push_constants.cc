// Shaders access buffers by addresses in their push constants: disjoint parts of one buffer without a
// barrier, the last bytes of a buffer with a neighbor in the same memory, a buffer that took the place
// of a destroyed one, and work that does not run after its buffer is destroyed.
#include "common/vulkan_barriers.h"
#include "common/vulkan_pushed_addresses.h"

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

int main() {
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
