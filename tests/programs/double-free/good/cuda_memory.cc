// Device memory is freed once.
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemFree(buffer));
  Close();
}
