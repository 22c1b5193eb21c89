// Defect: A buffer that a group of transfers sends is filled on a stream that is not in the group.
// Fix: The buffer is filled on a stream of the group: all streams of a group wait for each other.
// EXPECT error race ncclSend at SEND
// EXPECT-PARTY pending-command at FILL
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 4096, kBytes = kCount * sizeof(float);
  CUstream other = NewStream(), sending = NewStream(), receiving = NewStream();
  CUdeviceptr out = NewZeros(kBytes), in = NewZeros(kBytes);
  ncclComm_t communicator;
  DONE(ncclCommInit(&communicator, 2, 0));
#ifdef DEFECT
  CUstream filling = other;
#else
  CUstream filling = receiving;
#endif
  // @FILL
  OK(cuMemsetD8Async(out, 1, kBytes, filling));
  DONE(ncclGroupStart());
  // @SEND
  DONE(ncclSend((void*)out, kCount, kNcclFloat, 1, communicator, sending));
  DONE(ncclRecv((void*)in, kCount, kNcclFloat, 1, communicator, receiving));
  DONE(ncclGroupEnd());
  // Both streams continue after all transfers of the group.
  OK(cuMemsetD8Async(in, 2, kBytes, sending));
  OK(cuCtxSynchronize());
  DONE(ncclCommDestroy(communicator));
  OK(cuMemFree(in));
  OK(cuMemFree(out));
  for (CUstream stream : {other, sending, receiving}) OK(cuStreamDestroy(stream));
  Close();
}
