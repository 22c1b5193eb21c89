// Defect: An upload begins inside of a host block and is as long as the block. (Another block after
// it makes the read harmless.)
// Fix: An upload begins inside of a host block and ends at its end.
// EXPECT error host-buffer-overrun cuMemcpyHtoDAsync_v2 at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT needed_bytes=4096
// EXPECT-FACT block_bytes=3840
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  // @BLOCK
  char* data = (char*)calloc(1, 4096);
  char* behind = (char*)calloc(1, 65536);
  CUdeviceptr buffer = NewMemory(4096);
#ifdef DEFECT
  const size_t bytes = 4096;
#else
  const size_t bytes = 4096 - 256;
#endif
  // @HERE
  OK(cuMemcpyHtoDAsync(buffer, data + 256, bytes, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(buffer));
  OK(cuStreamDestroy(stream));
  free(behind);
  free(data);
  Close();
}
