// Messages of MPI beside kernels that do not use their bytes: to no process, of the
// other half of a buffer, also of a type with gaps, and a receive whose buffer a kernel uses after the wait.
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 1024, kHalf = kCount / 2, kBytes = kCount * sizeof(float);
  CUfunction fill = Kernel(KERNEL_FILL);
  CUstream stream = NewStream();
  CUdeviceptr halo = NewZeros(kBytes), inner = NewZeros(kBytes);
  int value = 1;
  void* arguments[] = {&halo, &value};
  void* request;
  OK(cuMemsetD8Async(inner, 1, kBytes / 2, stream));
  DONE(MPI_Send((void*)inner, kHalf, &kMpiFloat, kProcNull, 0, nullptr));
  DONE(MPI_Send((float*)inner + kHalf, kHalf, &kMpiFloat, 1, 0, nullptr));
  DONE(MPI_Send((float*)inner + kHalf, kHalf / 2, &kMpiEverySecondFloat, 1, 0, nullptr));
  DONE(MPI_Irecv((void*)halo, kCount, &kMpiFloat, 1, 0, nullptr, &request));
  DONE(MPI_Wait(&request, nullptr));
  OK(cuLaunchKernel(fill, kCount / 256, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  OK(cuStreamSynchronize(stream));
  DONE(MPI_Send((void*)halo, kCount, &kMpiFloat, 1, 0, nullptr));
  Close(inner, halo, stream);
}
