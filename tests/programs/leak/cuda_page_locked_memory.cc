// Defect: Page-locked memory is never freed.
// Fix: Page-locked memory is freed.
// EXPECT error leak cuMemAllocHost_v2 at CREATED
// EXPECT-TEXT call cuMemFreeHost on every path
#include "common/cuda.h"

int main() {
  Open();
  void* data;
  // @CREATED
  OK(cuMemAllocHost(&data, 4096));
#ifndef DEFECT
  OK(cuMemFreeHost(data));
#endif
}
