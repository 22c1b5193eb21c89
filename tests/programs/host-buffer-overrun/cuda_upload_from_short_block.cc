// Defect: The host block of an upload is shorter than the upload. (Another block after it makes the
// read harmless.)
// Fix: The host block of an upload is as long as the upload.
// EXPECT error host-buffer-overrun cuMemcpyHtoD_v2 at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT needed_bytes=4096
// EXPECT-FACT block_bytes=3072
#include "common/cuda.h"

int main() {
  Open();
#ifdef DEFECT
  const size_t bytes = 3072;
#else
  const size_t bytes = 4096;
#endif
  // @BLOCK
  char* data = (char*)calloc(1, bytes);
  char* behind = (char*)calloc(1, 65536);
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  // @HERE
  OK(cuMemcpyHtoD(buffer, data, 4096));
  OK(cuMemFree(buffer));
  free(behind);
  free(data);
  Close();
}
