// Rings of slots that stay mapped.
// OPTION --protect-maps
#include "common/vulkan_host.h"

constexpr VkDeviceSize kSlot = 16384;
constexpr int kFrames = 3;
constexpr VkDeviceSize kRing = kFrames * kSlot;

inline void WaitFor(VkFence fence) { OK(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX)); }

// Runs twelve frames, and destroys the ring. `wait(fence)` returns when the frame that signals the
// fence is complete. The ring stays mapped; `written()` is called behind each host write.
template <typename Wait, typename Written>
void RunRing(const Buffer& ring, Wait wait, Written written) {
  const Buffer target = MakeBuffer(kSlot);
  void* data;
  OK(vkMapMemory(device, ring.memory, 0, VK_WHOLE_SIZE, 0, &data));
  VkCommandBuffer buffers[kFrames];
  VkCommandBufferAllocateInfo allocate = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocate.commandPool = pool;
  allocate.commandBufferCount = kFrames;
  OK(vkAllocateCommandBuffers(device, &allocate, buffers));
  VkFence fences[kFrames];
  for (VkFence& fence : fences) fence = MakeFence();
  for (int frame = 0; frame < 12; ++frame) {
    const int i = frame % kFrames;
    if (frame >= kFrames) {
      wait(fences[i]);
      OK(vkResetFences(device, 1, &fences[i]));
    }
    memset(static_cast<char*>(data) + i * kSlot, frame + 1, kSlot);
    written();
    commands = buffers[i];
    Begin();
    VkMemoryBarrier behind = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    behind.srcAccessMask = behind.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 1, &behind, 0, nullptr, 0, nullptr);
    const VkBufferCopy slot = {i * kSlot, 0, kSlot};
    vkCmdCopyBuffer(commands, ring.handle, target.handle, 1, &slot);
    Submit(fences[i]);
  }
  OK(vkDeviceWaitIdle(device));
  for (VkFence fence : fences) vkDestroyFence(device, fence, nullptr);
  Destroy(ring);
  Destroy(target);
}

// A ring of slots that stays mapped; each is written again when the host has waited for the frame
// that read it, while other frames are in flight.
static void RingMappedForGood() {
  Wanted wanted;
  wanted.test_device = true;
  Open(wanted);
  RunRing(MakeBuffer(kRing, kCopies, kHostMemory), WaitFor, [] {});
  Close();
}

// A ring of slots that stays mapped, where the driver may be a CPU's, whose threads use the mapping
// themselves: its pages are not protected.
static void RingOfACpuDriver() {
  Open();
  RunRing(MakeBuffer(kRing, kCopies, kHostMemory), WaitFor, [] {});
  Close();
}

// A ring of slots in memory that is not coherent. The slots are flushed together (VK_WHOLE_SIZE),
// and the host polls until a frame is complete.
static void RingPolled() {
  OpenWithNonCoherentMemory();
  const Buffer ring = MakeNonCoherent(kRing);
  RunRing(
      ring,
      [](VkFence fence) {
        while (vkGetFenceStatus(device, fence) != VK_SUCCESS) continue;
      },
      [&] {
        const VkMappedMemoryRange range = MappedRange(ring);
        OK(vkFlushMappedMemoryRanges(device, 1, &range));
      });
  Close();
}

int main() {
  RingMappedForGood();
  RingOfACpuDriver();
  RingPolled();
}
