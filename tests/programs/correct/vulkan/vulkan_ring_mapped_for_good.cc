// A ring of slots that stays mapped; each is written again when the host has waited for the frame
// that read it, while other frames are in flight.
// OPTION --protect-maps
#include "common/vulkan_ring.h"

int main() {
  Wanted wanted;
  wanted.test_device = true;
  Open(wanted);
  RunRing(MakeBuffer(kRing, kCopies, kHostMemory), WaitFor, [] {});
  Close();
}
