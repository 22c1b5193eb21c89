// Defect: A copy on the device and fills in words and of pitched memory reach past the end of their
// allocations.
// Fix: They end with the allocations.
#include "common/cuda.h"

// Defect: A copy on the device is longer than its destination.
// Fix: A copy on the device is as long as its destination.
// EXPECT error copy-out-of-bounds cuMemcpyDtoD_v2 at HERE
// EXPECT-PARTY allocation at CREATED
static void DeviceCopy() {
  CUdeviceptr from, to;
  OK(cuMemAlloc(&from, 8192));
#ifdef DEFECT
  const size_t bytes = 4096;
#else
  const size_t bytes = 8192;
#endif
  // @CREATED
  OK(cuMemAlloc(&to, bytes));
  OK(cuMemsetD8(from, 1, 8192));
  // @HERE
  cuMemcpyDtoD(to, from, 8192);
  Release(to, from);
}

// Defect: A fill counts in bytes where the call counts in words of four bytes.
// Fix: A fill counts in words, as the call does.
// EXPECT error copy-out-of-bounds cuMemsetD32_v2 at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT size_bytes=16384
static void MemsetInWords() {
  CUdeviceptr buffer;
  // @CREATED_2
  OK(cuMemAlloc(&buffer, 4096));
#ifdef DEFECT
  const size_t words = 4096;
#else
  const size_t words = 4096 / 4;
#endif
  // @HERE_2
  cuMemsetD32(buffer, 0, words);
  Release(buffer);
}

// Defect: A fill of pitched memory has one row too many.
// Fix: A fill of pitched memory has as many rows as the memory.
// EXPECT error copy-out-of-bounds cuMemsetD2D8_v2 at HERE_3
// EXPECT-PARTY allocation at CREATED_3
static void FillOfPitchedMemory() {
  CUdeviceptr buffer;
  size_t pitch;
  // @CREATED_3
  OK(cuMemAllocPitch(&buffer, &pitch, 500, 32, 4));
#ifdef DEFECT
  const size_t rows = 33;
#else
  const size_t rows = 32;
#endif
  // @HERE_3
  cuMemsetD2D8(buffer, pitch, 0, 500, rows);
  Release(buffer);
}

int main() {
  Open();
  DeviceCopy();
  MemsetInWords();
  FillOfPitchedMemory();
  Close();
}
