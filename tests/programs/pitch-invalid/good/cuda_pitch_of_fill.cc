// The pitch of a fill is that of the memory.
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  size_t pitch;
  OK(cuMemAllocPitch(&buffer, &pitch, 256, 16, 4));
  cuMemsetD2D32(buffer, pitch, 0, 64, 16);
  OK(cuMemFree(buffer));
  Close();
}
