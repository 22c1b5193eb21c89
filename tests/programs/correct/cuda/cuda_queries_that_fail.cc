// Programs ask for what is not there, and look at the answer.
#include "common/cuda.h"

int main() {
  Open();
  static char host[64];
  CUdevice none;
  FAILS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&none, 1000));
  CUmemorytype type;
  FAILS(CUDA_ERROR_INVALID_VALUE,
        cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)host));
  void* function = nullptr;
  CUdriverProcAddressQueryResult found;
  cuGetProcAddress("cuNoSuchFunction", &function, 12000, 0, &found);
  CHECK(function == nullptr && found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  cuGetProcAddress("cuMemAlloc", &function, 99000, 0, &found);  // of a version to come
  CUstream stream = NewStream();
  char* data = NewPinned(1 << 20);
  CUdeviceptr buffer = NewMemory(1 << 20);
  OK(cuMemcpyHtoDAsync(buffer, data, 1 << 20, stream));
  cuStreamQuery(stream);  // perhaps not ready
  OK(cuStreamSynchronize(stream));
  Close(0, buffer, data, stream);
}
