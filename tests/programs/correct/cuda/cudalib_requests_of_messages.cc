// Buffers of requests of MPI that are read while they are sent, and written after the end of the
// request: by waits for several, by tests, and by a release, behind which nothing is known.
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 1024, kBytes = kCount * sizeof(float), kRequests = 4;
  CUstream stream = NewStream();
  CUdeviceptr halo = NewZeros(kBytes), copy = NewZeros(kBytes);
  for (int turn = 0; turn < 100; ++turn) {
    void* requests[kRequests];
    for (void*& request : requests)
      DONE(MPI_Isend((void*)halo, kCount, &kMpiFloat, 1, 0, nullptr, &request));
    OK(cuMemcpyDtoDAsync(copy, halo, kBytes, stream));
    DONE(MPI_Waitall(2, requests, nullptr));
    for (int flag = 0; flag == 0;) DONE(MPI_Test(&requests[2], &flag, nullptr));
    DONE(MPI_Request_free(&requests[3]));
    OK(cuMemsetD8Async(halo, 1, kBytes, stream));
    OK(cuStreamSynchronize(stream));
  }
  // MPI calls CUDA itself while a request is pending: its own copies of the buffer only read it.
  void* request;
  DONE(MPI_Isend((void*)halo, kCount, &kMpiFloat, 1, 0, nullptr, &request));
  OK(cuCtxSynchronize());
  DONE(MPI_Wait(&request, nullptr));
  Close(copy, halo, stream);
}
