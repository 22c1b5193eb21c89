// Defect: The second half of a variable is read back with the length of the whole variable.
// Fix: The second half of a variable is read back with the length of the half.
// EXPECT error copy-out-of-bounds cudaMemcpyFromSymbol at HERE
// EXPECT-FACT offset=512
// EXPECT-FACT resource_bytes=1024
#include "common/cudart_variable.h"

int main() {
  static float result[256];
  size_t bytes = sizeof(result);
#ifndef DEFECT
  bytes /= 2;
#endif
  // @HERE
  cudaMemcpyFromSymbol(result, table_symbol, bytes, 512, cudaMemcpyDeviceToHost);
  OK(cudaDeviceSynchronize());
}
