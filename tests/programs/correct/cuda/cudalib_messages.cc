// Messages, requests and windows of MPI, and groups of NCCL, whose buffers the program uses again.
// Calls on no elements.
#include "common/cuda.h"
#include "common/fake_libraries.h"

// Messages of MPI beside kernels that do not use their bytes: to no process, of the
// other half of a buffer, also of a type with gaps, and a receive whose buffer a kernel uses after
// the wait.
static void MessagesBesideKernels() {
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
  Release(inner, halo, stream);
}

// Accesses to windows of MPI, whose buffers the program uses again when it has completed the
// accesses: by a fence, or by a flush. Several of them read one buffer.
static void OneSided() {
  constexpr int kCount = 1024, kBytes = kCount * sizeof(float);
  CUstream stream = NewStream();
  CUdeviceptr origin = NewZeros(kBytes), result = NewZeros(kBytes), copy = NewZeros(kBytes);
  const CUfunction kernel = Kernel(KERNEL_COPY);
  int window;
  DONE(MPI_Win_fence(0, &window));
  for (int step = 0; step < 100; ++step) {
    for (int i = 0; i < 4; ++i)
      DONE(MPI_Put((void*)origin, kCount, &kMpiFloat, 1, i, kCount, &kMpiFloat, &window));
    DONE(MPI_Get((void*)result, kCount, &kMpiFloat, 1, 8, kCount, &kMpiFloat, &window));
    OK(cuMemcpyDtoDAsync(copy, origin, kBytes, stream));
    OK(cuStreamSynchronize(stream));
    if (step % 2 == 0) {
      DONE(MPI_Win_flush(1, &window));
    } else {
      DONE(MPI_Win_fence(0, &window));
    }
    void* arguments[] = {&result, &copy};
    OK(cuLaunchKernel(kernel, kCount / 256, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
    OK(cuMemsetD8Async(origin, 1, kBytes, stream));
    OK(cuStreamSynchronize(stream));
  }
  Release(copy, result, origin, stream);
}

// Persistent requests of MPI that exchange the borders of a grid in each step, and whose buffers
// kernels use in between. They are started together and one by one. A request that was never
// started, or that is inactive, uses no buffer.
static void PersistentRequests() {
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
  Release(copy, halo, border, stream);
}

// Buffers of requests of MPI that are read while they are sent, and written after the end of the
// request: by waits for several, by tests, and by a release, behind which nothing is known.
static void RequestsOfMessages() {
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
  Release(copy, halo, stream);
}

// A group of transfers of NCCL on the default stream and on a non-blocking one: the second transfer
// waits for what the default stream has. gpusan does not know which context the default stream
// belongs to when the group ends, and leaves the group out.
static void GroupWithDefaultStream() {
  constexpr int kCount = 4096, kBytes = kCount * sizeof(float);
  CUstream other;
  OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  CUdeviceptr out = NewZeros(kBytes), in = NewZeros(kBytes);
  ncclComm_t communicator;
  DONE(ncclCommInit(&communicator, 2, 0));
  OK(cuMemsetD8Async(out, 1, kBytes, nullptr));
  DONE(ncclGroupStart());
  DONE(ncclRecv((void*)in, kCount, kNcclFloat, 1, communicator, nullptr));
  DONE(ncclSend((void*)out, kCount, kNcclFloat, 1, communicator, other));
  DONE(ncclGroupEnd());
  OK(cuCtxSynchronize());
  DONE(ncclCommDestroy(communicator));
  Release(in, out, other);
}

// Calls of libraries on no elements, and messages to no process, with pointers to freed memory.
static void NothingOfFreedMemory() {
  constexpr int kCount = 1024;
  CUstream stream = NewStream();
  CUdeviceptr freed = NewZeros(kCount * sizeof(float));
  OK(cuMemFree(freed));
  const float one = 1;
  cublasHandle_t blas;
  DONE(cublasCreate_v2(&blas));
  DONE(cublasSetStream_v2(blas, stream));
  DONE(cublasSaxpy_v2(blas, 0, &one, (float*)freed, 1, (float*)freed, 1));
  DONE(cublasSaxpy_v2_64(blas, -1, &one, (float*)freed, 1, (float*)freed, 1));
  DONE(MPI_Send((void*)freed, 0, &kMpiFloat, 1, 0, nullptr));
  DONE(MPI_Send((void*)freed, kCount, &kMpiFloat, kProcNull, 0, nullptr));
  OK(cuStreamSynchronize(stream));
  DONE(cublasDestroy_v2(blas));
  Release(stream);
}

int main() {
  Open();
  MessagesBesideKernels();
  OneSided();
  PersistentRequests();
  RequestsOfMessages();
  GroupWithDefaultStream();
  NothingOfFreedMemory();
  Close();
}
