// Defect: A host function of a stream fills device memory.
// Fix: The call follows a wait for the stream.
// EXPECT warning call-failed cuMemsetD8_v2 CUDA_ERROR_NOT_PERMITTED at HERE
// EXPECT-PARTY host-function at ENQUEUED
// EXPECT-TEXT must not call CUDA functions
// EXPECT-TEXT move cuMemsetD8_v2 out of the host function
#include "common/cuda.h"

static CUdeviceptr buffer;

static void CUDA_CB Function(void*) {
#ifdef DEFECT
  // @HERE
  cuMemsetD8(buffer, 0, 4096);
#endif
}

int main() {
  Open();
  CUstream stream = NewStream();
  buffer = NewMemory(4096);
  // @ENQUEUED
  OK(cuLaunchHostFunc(stream, Function, nullptr));
  OK(cuStreamSynchronize(stream));
  OK(cuMemsetD8(buffer, 0, 4096));
  OK(cuCtxSynchronize());
  Close(stream, buffer);
}
