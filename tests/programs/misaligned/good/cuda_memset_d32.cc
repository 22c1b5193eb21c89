// A fill with words of four bytes begins at a multiple of four.
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  const size_t offset = 4;
  cuMemsetD32(buffer + offset, 0, 1000);
  OK(cuMemFree(buffer));
  Close();
}
