// A fill counts in words, as the call does.
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  const size_t words = 4096 / 4;
  cuMemsetD32(buffer, 0, words);
  OK(cuMemFree(buffer));
  Close();
}
