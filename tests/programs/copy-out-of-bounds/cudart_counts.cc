// Defect: Copies and fills of the runtime count too many bytes.
// Fix: The bytes are those of the allocation or the variable.
#include "common/cudart.h"

// Defect: The allocation is 1024 bytes shorter than the model that is copied to it.
// Fix: The allocation is as long as the model that is copied to it.
// EXPECT error copy-out-of-bounds cudaMemcpy at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT size_bytes=16384
// EXPECT-FACT resource_bytes=15360
static void AllocationTooShort() {
  enum { n = 4096 };
  static float model[n];
#ifdef DEFECT
  const size_t bytes = n * sizeof(float) - 1024;
#else
  const size_t bytes = n * sizeof(float);
#endif
  float* buffer;
  // @CREATED
  OK(cudaMalloc((void**)&buffer, bytes));
  // @HERE
  cudaMemcpy(buffer, model, n * sizeof(float), cudaMemcpyHostToDevice);
  OK(cudaFree(buffer));
  Close();
}

// Defect: An upload to the second half of a variable is as long as the whole variable.
// Fix: An upload to the second half of a variable is as long as the half.
// EXPECT error copy-out-of-bounds cudaMemcpy at HERE_2
// EXPECT-FACT resource_bytes=1024
static void LibraryVariable() {
  CHECK(Kernel(KERNEL_LOOK_UP) != nullptr);
  static float data[256];
  void* table;
  size_t bytes;
  OK(cudaLibraryGetGlobal(&table, &bytes, library_of_kernels, MODULE_TABLE));
#ifndef DEFECT
  bytes /= 2;
#endif
  // @HERE_2
  cudaMemcpy((char*)table + 512, data, bytes, cudaMemcpyHostToDevice);
  Close();
}

// Defect: A fill multiplies the bytes by the size of an element once more.
// Fix: The fill has the size in bytes.
// EXPECT error copy-out-of-bounds cudaMemset at HERE_3
// EXPECT-PARTY allocation at CREATED_2
static void MemsetCountsElementsTwice() {
  const size_t bytes = 1024 * sizeof(float);
  float* buffer;
  // @CREATED_2
  OK(cudaMalloc((void**)&buffer, bytes));
#ifdef DEFECT
  const size_t filled = bytes * sizeof(float);
#else
  const size_t filled = bytes;
#endif
  // @HERE_3
  cudaMemset(buffer, 0, filled);
  OK(cudaFree(buffer));
  Close();
}

int main() {
  AllocationTooShort();
  LibraryVariable();
  MemsetCountsElementsTwice();
}
