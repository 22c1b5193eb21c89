// A fill of pitched memory has as many rows as the memory.
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  size_t pitch;
  OK(cuMemAllocPitch(&buffer, &pitch, 500, 32, 4));
  const size_t rows = 32;
  cuMemsetD2D8(buffer, pitch, 0, 500, rows);
  OK(cuMemFree(buffer));
  Close();
}
