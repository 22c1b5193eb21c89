// Cycles of create, write, dispatch, read back and release in Vulkan, for soak::Run.
#pragma once

#include "common/vulkan_compute.h"

namespace soak {

inline constexpr VkDeviceSize kBytes = 16 * 1024;

inline void Barrier(VkPipelineStageFlags from, VkAccessFlags written, VkPipelineStageFlags to,
                    VkAccessFlags used) {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = written;
  barrier.dstAccessMask = used;
  vkCmdPipelineBarrier(commands, from, to, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

inline void Copy(VkBuffer from, VkBuffer to) {
  const VkBufferCopy region = {0, 0, kBytes};
  vkCmdCopyBuffer(commands, from, to, 1, &region);
}

struct Vulkan {
  using Block = Buffer;
  static inline Compute compute;

  static void Setup() {
    Open();
    compute = MakeCompute();
  }

  static void Cycle() {
    const Buffer staging = MakeStaging(kBytes);
    const Buffer input = MakeBuffer(kBytes, kStorage), output = MakeBuffer(kBytes, kStorage);
    SetBuffers(compute, input.handle, output.handle);
    OK(vkResetCommandBuffer(commands, 0));
    Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    Copy(staging.handle, input.handle);
    Barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
    Bind(compute);
    vkCmdDispatch(commands, kBytes / sizeof(uint32_t) / 64, 1, 1);
    Barrier(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
            VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    Copy(output.handle, staging.handle);
    Barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
            VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    ::Run();
    void* data;
    OK(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &data));
    CHECK(*static_cast<const uint32_t*>(data) == 0x07070707 * 3u);
    vkUnmapMemory(device, staging.memory);
    Destroy(output);
    Destroy(input);
    Destroy(staging);
  }

  // Memory counts where it was allocated: here, not in the function that programs share.
  static Block Keep(size_t bytes) {
    Buffer buffer;
    const VkBufferCreateInfo info = BufferInfo(bytes);
    OK(vkCreateBuffer(device, &info, nullptr, &buffer.handle));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, buffer.handle, &needs);
    VkMemoryAllocateInfo allocate = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocate.allocationSize = needs.size;
    allocate.memoryTypeIndex = MemoryType(needs.memoryTypeBits, 0);
    OK(vkAllocateMemory(device, &allocate, nullptr, &buffer.memory));  // the leak
    OK(vkBindBufferMemory(device, buffer.handle, buffer.memory, 0));
    return buffer;
  }

  static Block Entry() { return MakeBuffer(65536); }
  static void Fill(const Block& block) {
    OK(vkResetCommandBuffer(commands, 0));
    Begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdFillBuffer(commands, block.handle, 0, VK_WHOLE_SIZE, 7);
    ::Run();
  }

  static bool Empty(const Block& block) { return block.handle == VK_NULL_HANDLE; }
  static void Release(const Block& block) { Destroy(block); }

  static void Teardown() {
    Destroy(compute);
    Close();
  }
};

}  // namespace soak
