// The host block of a download is as long as the download.
#include <malloc.h>

#include "common/cudart.h"

int main() {
  mallopt(M_MMAP_THRESHOLD, 64 * 1024);  // a block of its own pages
  enum { bytes = 256 * 1024 - 256 };
  const size_t block = bytes;
  char* result = (char*)malloc(block);
  char* buffer = NewZeros(bytes);
  OK(cudaMemcpy(result, buffer, bytes, cudaMemcpyDeviceToHost));
  OK(cudaFree(buffer));
  free(result);
  Close();
}
