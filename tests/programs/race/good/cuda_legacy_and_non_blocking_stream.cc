// A fill on the legacy default stream and a download on a blocking stream, which waits for it.
#include "common/cuda.h"

int main() {
  Open();
  const unsigned flags = CU_STREAM_DEFAULT;
  CUstream stream;
  OK(cuStreamCreate(&stream, flags));
  char* result;
  OK(cuMemAllocHost((void**)&result, 4096));
  CUdeviceptr buffer;
  OK(cuMemAlloc(&buffer, 4096));
  OK(cuMemsetD8Async(buffer, 7, 4096, CU_STREAM_LEGACY));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  OK(cuStreamDestroy(stream));
  Close();
}
