// The host waits for a copy on the device before a non-blocking stream uses it.
// OPTION --strict=true
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char* result = NewPinned(65536);
  CUdeviceptr from = NewZeros(65536), to = NewMemory(65536);
  OK(cuMemcpyDtoD(to, from, 65536));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoHAsync(result, to, 65536, stream));
  OK(cuCtxSynchronize());
  OK(cuMemFree(to));
  OK(cuMemFree(from));
  OK(cuMemFreeHost(result));
  OK(cuStreamDestroy(stream));
  Close();
}
