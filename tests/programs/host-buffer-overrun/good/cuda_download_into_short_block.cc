// The host block of a download is as long as the download.
#include <malloc.h>

#include "common/cuda.h"

int main() {
  mallopt(M_MMAP_THRESHOLD, 64 * 1024);  // a block of its own pages
  Open();
  enum { bytes = 256 * 1024 - 256 };
  const size_t block = bytes;
  char* result = (char*)malloc(block);
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, bytes));
  OK(cuMemsetD8(buffer, 1, bytes));
  OK(cuMemcpyDtoH(result, buffer, bytes));
  OK(cuMemFree(buffer));
  free(result);
  Close();
}
