// A group of transfers of NCCL on the default stream and on a non-blocking one: the second transfer
// waits for what the default stream has. gpusan does not know which context the default stream
// belongs to when the group ends, and leaves the group out.
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
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
  Close(in, out, other);
}
