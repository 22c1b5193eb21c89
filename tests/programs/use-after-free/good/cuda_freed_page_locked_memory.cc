// The page-locked memory of an upload is freed behind it.
#include "common/cuda.h"

int main() {
  Open();
  CUdeviceptr buffer = NewMemory(4096);
  void* data;
  OK(cuMemHostAlloc(&data, 4096, 0));
  memset(data, 0, 4096);
  cuMemcpyHtoD(buffer, data, 4096);
  OK(cuMemFreeHost(data));
  OK(cuMemFree(buffer));
  Close();
}
