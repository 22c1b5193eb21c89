// Defect: Downloads reach past the end of an allocation and past the end of page-locked memory.
// Fix: The downloads end with the memory.
#include "common/cuda.h"

// Defect: A download begins inside of an allocation and reaches past its end.
// Fix: A download begins inside of an allocation and ends at its end.
// EXPECT error copy-out-of-bounds cuMemcpyDtoH_v2 at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT offset=2048
// EXPECT-FACT size_bytes=4096
static void DownloadAtOffset() {
  static char result[4096];
  CUdeviceptr buffer;
  // @CREATED
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemsetD8(buffer, 1, 4096));
#ifdef DEFECT
  const size_t bytes = 4096;
#else
  const size_t bytes = 2048;
#endif
  // @HERE
  cuMemcpyDtoH(result, buffer + 2048, bytes);
  Release(buffer);
}

// Defect: A download into page-locked memory is longer than the memory.
// Fix: A download into page-locked memory is as long as the memory.
// EXPECT error copy-out-of-bounds cuMemcpyDtoH_v2 at HERE_2
// EXPECT-PARTY allocation at CREATED_2
static void PageLockedMemory() {
  CUdeviceptr buffer = NewZeros(8192);
  void* result;
#ifdef DEFECT
  const size_t block = 8192 - 256;
#else
  const size_t block = 8192;
#endif
  // @CREATED_2
  OK(cuMemHostAlloc(&result, block, CU_MEMHOSTALLOC_PORTABLE));
  // @HERE_2
  cuMemcpyDtoH(result, buffer, 8192);
  Release(result, buffer);
}

int main() {
  Open();
  DownloadAtOffset();
  PageLockedMemory();
  Close();
}
