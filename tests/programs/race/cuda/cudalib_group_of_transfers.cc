// Defect: A buffer is filled on another stream between the call that sends it and the end of the
// group, at which NCCL enqueues the transfers.
// Fix: The buffer is filled on the stream of the transfers.
// EXPECT error race ncclSend at SEND
// EXPECT-PARTY pending-command at FILL
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 4096, kBytes = kCount * sizeof(float);
  CUstream filling = NewStream(), sending = NewStream();
  CUdeviceptr out = NewZeros(kBytes), in = NewZeros(kBytes);
  ncclComm_t communicator;
  DONE(ncclCommInit(&communicator, 2, 0));
#ifdef DEFECT
  CUstream stream = filling;
#else
  CUstream stream = sending;
#endif
  DONE(ncclGroupStart());
  // @SEND
  DONE(ncclSend((void*)out, kCount, kNcclFloat, 1, communicator, sending));
  DONE(ncclRecv((void*)in, kCount, kNcclFloat, 1, communicator, sending));
  // @FILL
  OK(cuMemsetD8Async(out, 1, kBytes, stream));
  DONE(ncclGroupEnd());
  OK(cuCtxSynchronize());
  DONE(ncclCommDestroy(communicator));
  Close(in, out, sending, filling);
}
