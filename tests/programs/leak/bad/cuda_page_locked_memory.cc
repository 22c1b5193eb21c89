// Page-locked memory is never freed.
// EXPECT error leak cuMemAllocHost_v2 at CREATED
#include "common/cuda.h"

int main() {
  Open();
  void* data;
  // @CREATED
  OK(cuMemAllocHost(&data, 4096));
  Close();
}
