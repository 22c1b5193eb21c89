// Defect: cudaMemset counts elements instead of bytes, and the whole allocation is downloaded.
// Fix: cudaMemset covers all bytes of the allocation that is downloaded.
// EXPECT warning uninitialized-read cudaMemcpy at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT written_bytes=512
#include "common/cudart.h"

int main() {
  const size_t count = 512;
  static double result[count];
  void* sums;
  // @CREATED
  OK(cudaMalloc(&sums, count * sizeof(double)));
#ifdef DEFECT
  OK(cudaMemset(sums, 0, count));
#else
  OK(cudaMemset(sums, 0, count * sizeof(double)));
#endif
  // @HERE
  OK(cudaMemcpy(result, sums, sizeof(result), cudaMemcpyDeviceToHost));
  OK(cudaFree(sums));
  Close();
}
