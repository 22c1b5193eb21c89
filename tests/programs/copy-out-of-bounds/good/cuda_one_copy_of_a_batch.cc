// All copies of a batch fit.
#include "common/cuda.h"

int main() {
  Open();
  char* data = NewPinned(8192);
  CUdeviceptr first = NewMemory(4096), second;
  OK(cuMemAlloc(&second, 4096));
  CUstream stream = NewStream();
  CUdeviceptr targets[] = {first, second}, sources[] = {(CUdeviceptr)data, (CUdeviceptr)data};
  size_t sizes[] = {4096, 4096}, all = 0;
  CUmemcpyAttributes attributes = {};
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  cuMemcpyBatchAsync(targets, sources, sizes, 2, &attributes, &all, 1, stream);
  OK(cuStreamSynchronize(stream));
  OK(cuStreamDestroy(stream));
  OK(cuMemFree(second));
  OK(cuMemFree(first));
  OK(cuMemFreeHost(data));
  Close();
}
