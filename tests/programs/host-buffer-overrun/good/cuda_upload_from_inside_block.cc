// An upload begins inside of a host block and ends at its end.
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  char* data = (char*)calloc(1, 4096);
  char* behind = (char*)calloc(1, 65536);
  CUdeviceptr buffer = NewMemory(4096);
  const size_t bytes = 4096 - 256;
  OK(cuMemcpyHtoDAsync(buffer, data + 256, bytes, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(buffer));
  OK(cuStreamDestroy(stream));
  free(behind);
  free(data);
  Close();
}
