// A set in a stream of its own, which waits for nobody.
// OPTION --enable=implicit-sync
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(CU_STREAM_DEFAULT), second = NewStream(CU_STREAM_DEFAULT),
           third = NewStream(CU_STREAM_DEFAULT);
  char* data = NewPinned(8192);
  CUdeviceptr one = NewMemory(4096), two = NewMemory(4096), other = NewMemory(4096);
  OK(cuCtxSynchronize());
  OK(cuMemcpyHtoDAsync(one, data, 4096, first));
  OK(cuMemcpyHtoDAsync(two, data + 4096, 4096, second));
  OK(cuMemsetD8Async(other, 0, 4096, third));
  OK(cuCtxSynchronize());
  OK(cuMemFree(other));
  OK(cuMemFree(two));
  OK(cuMemFree(one));
  OK(cuMemFreeHost(data));
  OK(cuStreamDestroy(third));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
