// Defect: A reduction of NCCL on the default stream reads a buffer that another stream fills.
// Fix: The buffer is filled on the default stream.
// EXPECT error race ncclAllReduce at HERE
// EXPECT-PARTY pending-command at FILL
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 4096, kBytes = kCount * sizeof(float);
  CUstream other;
  OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  CUdeviceptr send = NewZeros(kBytes), receive = NewZeros(kBytes);
  ncclComm_t communicator;
  DONE(ncclCommInit(&communicator, 2, 0));
#ifdef DEFECT
  CUstream filling = other;
#else
  CUstream filling = nullptr;
#endif
  // @FILL
  OK(cuMemsetD8Async(send, 1, kBytes, filling));
  // @HERE
  DONE(ncclAllReduce((void*)send, (void*)receive, kCount, kNcclFloat, kNcclSum, communicator,
                     nullptr));
  OK(cuCtxSynchronize());
  DONE(ncclCommDestroy(communicator));
  Close(receive, send, other);
}
