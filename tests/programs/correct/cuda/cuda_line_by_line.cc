// Bytes go round through lines of arrays, from host and device and back, by the calls for lines.
#include "common/cuda.h"

int main() {
  Open();
  CUDA_ARRAY_DESCRIPTOR shape = {1024, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CUarray first, second;
  OK(cuArrayCreate(&first, &shape));
  OK(cuArrayCreate(&second, &shape));
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(1024);
  unsigned char data[1024], result[1024] = {};
  for (int i = 0; i < 1024; ++i) data[i] = (unsigned char)(i * 7);
  OK(cuMemcpyHtoA(first, 0, data, 512));
  OK(cuMemcpyHtoA(first, 512, data + 512, 512));
  OK(cuMemcpyAtoA(second, 256, first, 0, 768));
  OK(cuMemcpyAtoA(second, 0, first, 768, 256));
  OK(cuMemcpyAtoD(buffer, second, 256, 768));
  OK(cuMemcpyAtoD(buffer + 768, second, 0, 256));
  OK(cuMemcpyDtoA(second, 0, buffer, 1024));
  OK(cuCtxSynchronize());
  OK(cuMemcpyAtoHAsync(result, second, 0, 1024, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(memcmp(result, data, 1024) == 0);
  Close(buffer, stream, second, first);
}
