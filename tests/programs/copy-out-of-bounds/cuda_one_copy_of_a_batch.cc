// Defect: One copy of a batch is longer than its destination.
// Fix: All copies of a batch fit.
// EXPECT error copy-out-of-bounds cuMemcpyBatchAsync_v2 at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/cuda.h"

int main() {
  Open();
  char* data = NewPinned(8192);
  CUdeviceptr first = NewMemory(4096), second;
  // @CREATED
  OK(cuMemAlloc(&second, 4096));
  CUstream stream = NewStream();
  CUdeviceptr targets[] = {first, second}, sources[] = {(CUdeviceptr)data, (CUdeviceptr)data};
#ifdef DEFECT
  size_t sizes[] = {4096, 8192}, all = 0;
#else
  size_t sizes[] = {4096, 4096}, all = 0;
#endif
  CUmemcpyAttributes attributes = {};
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  // @HERE
  cuMemcpyBatchAsync(targets, sources, sizes, 2, &attributes, &all, 1, stream);
  OK(cuStreamSynchronize(stream));
  Close(stream, second, first, data);
}
