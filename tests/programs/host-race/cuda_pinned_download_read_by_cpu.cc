// Defect: The CPU reads page-locked memory while the download into it is pending.
// Fix: The host waits for the download first.
// OPTION --protect-maps
// EXPECT error host-race host-read at READ
// EXPECT-PARTY pending-command at DOWNLOAD
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  void* block;
  OK(cuMemHostAlloc(&block, 65536, 0));
  CUdeviceptr from = NewZeros(65536);
  // @DOWNLOAD
  OK(cuMemcpyDtoHAsync(block, from, 65536, stream));
#ifndef DEFECT
  OK(cuStreamSynchronize(stream));
#endif
  // @READ
  const char value = static_cast<volatile char*>(block)[20000];
#ifdef DEFECT
  OK(cuStreamSynchronize(stream));
  (void)value;
#else
  CHECK(value == 0);
#endif
  Close(from, block, stream);
}
