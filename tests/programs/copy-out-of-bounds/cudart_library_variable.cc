// Defect: An upload to the second half of a variable is as long as the whole variable.
// Fix: An upload to the second half of a variable is as long as the half.
// EXPECT error copy-out-of-bounds cudaMemcpy at HERE
// EXPECT-FACT resource_bytes=1024
#include "common/cudart.h"

int main() {
  CHECK(Kernel(KERNEL_LOOK_UP) != nullptr);
  static float data[256];
  void* table;
  size_t bytes;
  OK(cudaLibraryGetGlobal(&table, &bytes, library_of_kernels, MODULE_TABLE));
#ifndef DEFECT
  bytes /= 2;
#endif
  // @HERE
  cudaMemcpy((char*)table + 512, data, bytes, cudaMemcpyHostToDevice);
  Close();
}
