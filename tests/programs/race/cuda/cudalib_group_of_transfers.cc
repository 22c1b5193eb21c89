// Defect: A buffer that a group of transfers sends is filled on another stream, before and outside
// of the group.
// Fix: The buffer is filled on a stream of the group.
#include "common/cuda.h"
#include "common/fake_libraries.h"

// Defect: A buffer is filled on another stream between the call that sends it and the end of the
// group, at which NCCL enqueues the transfers.
// Fix: The buffer is filled on the stream of the transfers.
// EXPECT error race ncclSend at SEND
// EXPECT-PARTY pending-command at FILL
// EXPECT-FACT hazard=RAW
static void GroupOfTransfers() {
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
  Release(in, out, sending, filling);
}

// Defect: A buffer that a group of transfers sends is filled on a stream that is not in the group.
// Fix: The buffer is filled on a stream of the group: all streams of a group wait for each other.
// EXPECT error race ncclSend at SEND_2
// EXPECT-PARTY pending-command at FILL_2
// EXPECT-FACT hazard=RAW
static void GroupOfTwoStreams() {
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
  // @FILL_2
  OK(cuMemsetD8Async(out, 1, kBytes, filling));
  DONE(ncclGroupStart());
  // @SEND_2
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
}

int main() {
  Open();
  GroupOfTransfers();
  GroupOfTwoStreams();
  Close();
}
