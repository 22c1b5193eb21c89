// Defect: An asynchronous download into pageable memory, which may wait. Reported only with an
// option.
// Fix: The memory is page-locked.
// OPTION --enable=pageable-async-copy
// EXPECT note pageable-async-copy cudaMemcpyAsync at HERE
// EXPECT-PARTY host-block at BLOCK
#include "common/cudart.h"

int main() {
  char* buffer = NewZeros(65536);
#ifdef DEFECT
  // @BLOCK
  char* pageable = (char*)calloc(1, 65536);
  char* result = pageable;
#else
  char* locked = NewPinned(65536);
  char* result = locked;
#endif
  // @HERE
  OK(cudaMemcpyAsync(result, buffer, 65536, cudaMemcpyDeviceToHost, nullptr));
  OK(cudaStreamSynchronize(nullptr));
  OK(cudaFree(buffer));
#ifdef DEFECT
  free(pageable);
#else
  OK(cudaFreeHost(locked));
#endif
  Close();
}
