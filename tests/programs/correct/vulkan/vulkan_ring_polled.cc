// A ring of slots in memory that is not coherent. The slots are flushed together (VK_WHOLE_SIZE), and
// the host polls until a frame is complete.
// OPTION --protect-maps
#include "common/vulkan_ring.h"

int main() {
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
