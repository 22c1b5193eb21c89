// Persistent requests of MPI that exchange the borders of a grid in each step, and whose buffers
// kernels use in between. They are started together and one by one. A request that was never
// started, or that is inactive, uses no buffer.
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 1024, kBytes = kCount * sizeof(float);
  CUstream stream = NewStream();
  CUdeviceptr border = NewZeros(kBytes), halo = NewZeros(kBytes), copy = NewZeros(kBytes);
  const CUfunction kernel = Kernel(KERNEL_COPY);
  Datatype type = kMpiFloat;
  void *requests[2], *unused;
  DONE(MPI_Send_init((void*)border, kCount, &type, 1, 0, nullptr, &requests[0]));
  DONE(MPI_Recv_init((void*)halo, kCount, &type, 1, 0, nullptr, &requests[1]));
  DONE(MPI_Recv_init((void*)copy, kCount, &type, 1, 0, nullptr, &unused));
  type = {0, 0};  // the program frees the type
  for (int step = 0; step < 100; ++step) {
    if (step % 2 == 0) {
      DONE(MPI_Startall(2, requests));
    } else {
      for (void*& request : requests) DONE(MPI_Start(&request));
    }
    DONE(MPI_Waitall(2, requests, nullptr));
    void* arguments[] = {&halo, &copy};
    OK(cuLaunchKernel(kernel, kCount / 256, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
    OK(cuMemcpyDtoDAsync(border, copy, kBytes, stream));
    OK(cuStreamSynchronize(stream));
  }
  for (void*& request : requests) DONE(MPI_Request_free(&request));
  DONE(MPI_Request_free(&unused));
  Close(copy, halo, border, stream);
}
