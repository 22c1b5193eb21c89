// Each turn of a loop frees the memory that it allocated; a cache is filled once and kept.
// OPTION --sample-signal
#include "common/cuda.h"
#include "common/driven_clock.h"

int main() {
  SampleEverySecond();
  Open();
  static CUdeviceptr kept[20];
  for (int i = 0; i < 700; ++i) {
    if (i < 20) OK(cuMemAlloc(&kept[i], 65536));
    CUdeviceptr memory;
    OK(cuMemAlloc(&memory, 4096));
    Sleep(1);
    OK(cuMemFree(memory));
  }
  for (CUdeviceptr memory : kept) OK(cuMemFree(memory));
  Close();
}
