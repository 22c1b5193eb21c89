// Defect: A kernel reads a buffer of device memory while a request of MPI still receives into it.
// Fix: A program waits for the request first. MPI itself writes the buffer by copies in both.
// EXPECT error race cuLaunchKernel at HERE
// EXPECT-PARTY pending-command at RECEIVE
// EXPECT-FACT hazard=RAW
// EXPECT-TEXT complete the request of MPI_Irecv before cuLaunchKernel
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 1024, kBytes = kCount * sizeof(float);
  CUstream stream = NewStream();
  CUdeviceptr halo = NewZeros(kBytes), copy = NewZeros(kBytes);
  const CUfunction kernel = Kernel(KERNEL_COPY);
  void* arguments[] = {&halo, &copy};
  void* request;
  // @RECEIVE
  DONE(MPI_Irecv((void*)halo, kCount, &kMpiFloat, 1, 0, nullptr, &request));
#ifndef DEFECT
  DONE(MPI_Wait(&request, nullptr));
#endif
  // @HERE
  OK(cuLaunchKernel(kernel, kCount / 256, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
#ifdef DEFECT
  DONE(MPI_Wait(&request, nullptr));
#endif
  OK(cuCtxSynchronize());
  Close(copy, halo, stream);
}
