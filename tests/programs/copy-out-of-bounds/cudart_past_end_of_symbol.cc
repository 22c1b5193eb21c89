// Defect: An upload of a table has an element more than the variable on the device.
// Fix: An upload of a table has as many elements as the variable on the device.
// EXPECT error copy-out-of-bounds cudaMemcpyToSymbol at HERE
// EXPECT-FACT resource_bytes=1024
// EXPECT-FACT size_bytes=1028
#include "common/cudart_variable.h"

int main() {
  static float weights[257];
#ifdef DEFECT
  const size_t count = 257;
#else
  const size_t count = 256;
#endif
  // @HERE
  cudaError_t code = cudaMemcpyToSymbol(table_symbol, weights, count * sizeof(float), 0,
                                        cudaMemcpyHostToDevice);
  CHECK((code == cudaSuccess) == (count == 256));
  static float result[128];
  OK(cudaMemcpyFromSymbol(result, table_symbol, sizeof(result), 512, cudaMemcpyDeviceToHost));
  CHECK(result[0] == 0);
}
