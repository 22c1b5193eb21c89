// Defect: The pitch of a fill is shorter than its rows.
// Fix: The pitch of a fill is that of the memory.
// EXPECT error pitch-invalid cuMemsetD2D32_v2 at HERE
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  size_t pitch;
  OK(cuMemAllocPitch(&buffer, &pitch, 256, 16, 4));
#ifdef DEFECT
  pitch = 64;
#endif
  // @HERE
  cuMemsetD2D32(buffer, pitch, 0, 64, 16);
  Close(buffer);
}
