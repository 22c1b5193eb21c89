// Defect: A host function of a stream calls the CUDA runtime.
// Fix: The call follows a wait for the stream.
// EXPECT warning call-failed cudaMemset at HERE
// EXPECT-PARTY host-function at ENQUEUED
// EXPECT-TEXT must not call CUDA functions
// EXPECT-TEXT move cudaMemset out of the host function
#include "common/cudart.h"

static void CUDART_CB Function(void* data) {
#ifdef DEFECT
  // @HERE
  cudaMemset(data, 0, 4096);
#else
  (void)data;
#endif
}

int main() {
  void* buffer = NewZeros(4096);
  cudaStream_t stream;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  // @ENQUEUED
  OK(cudaLaunchHostFunc(stream, Function, buffer));
  OK(cudaStreamSynchronize(stream));
  OK(cudaMemset(buffer, 0, 4096));
  OK(cudaDeviceSynchronize());
  OK(cudaStreamDestroy(stream));
  OK(cudaFree(buffer));
  Close();
}
