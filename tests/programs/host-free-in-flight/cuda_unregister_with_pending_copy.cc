// Defect: Host memory is unregistered while a copy from it is pending.
// Fix: Host memory is unregistered after the wait for the copy from it.
// EXPECT warning host-free-in-flight cuMemHostUnregister at HERE
// EXPECT-PARTY pending-command at COPY
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewZeros(1 << 20);
  char* data = (char*)calloc(1, 1 << 20);
  OK(cuMemHostRegister(data, 1 << 20, 0));
  // @COPY
  OK(cuMemcpyHtoDAsync(buffer, data, 1 << 20, stream));
#ifndef DEFECT
  OK(cuStreamSynchronize(stream));
#endif
  // @HERE
  OK(cuMemHostUnregister(data));
  OK(cuStreamSynchronize(stream));
  free(data);
  Close(buffer, stream);
}
