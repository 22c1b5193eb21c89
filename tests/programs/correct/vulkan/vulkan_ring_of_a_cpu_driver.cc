// A ring of slots that stays mapped, where the driver may be a CPU's, whose threads use the mapping
// themselves: its pages are not protected.
// OPTION --protect-maps
#include "common/vulkan_ring.h"

int main() {
  Open();
  RunRing(MakeBuffer(kRing, kCopies, kHostMemory), WaitFor, [] {});
  Close();
}
