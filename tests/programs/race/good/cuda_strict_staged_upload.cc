// The host waits for an upload from pageable memory before a non-blocking stream uses it.
// OPTION --strict=true
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream(CU_STREAM_NON_BLOCKING);
  char *data = (char*)calloc(1, 65536), *result = NewPinned(65536);
  CUdeviceptr buffer = NewMemory(65536);
  OK(cuMemcpyHtoD(buffer, data, 65536));
  OK(cuStreamSynchronize(CU_STREAM_LEGACY));
  OK(cuMemcpyDtoHAsync(result, buffer, 65536, stream));
  OK(cuCtxSynchronize());
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  free(data);
  OK(cuStreamDestroy(stream));
  Close();
}
