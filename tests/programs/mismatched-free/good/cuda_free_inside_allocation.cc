// The pointer is freed that the allocation returned.
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemFree(buffer));
  Close();
}
