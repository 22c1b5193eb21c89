// Rings of slots that stay mapped.
// OPTION --protect-maps
#include "common/vulkan_ring.h"

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

// A ring of slots in memory that is not coherent. The slots are flushed together (VK_WHOLE_SIZE), and
// the host polls until a frame is complete.
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
