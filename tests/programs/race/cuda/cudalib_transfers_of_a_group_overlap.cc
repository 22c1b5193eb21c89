// Defect: A group receives into a part of the memory that it sends: the transfers of a group run
// concurrently.
// Fix: The group receives into other memory.
// EXPECT error race ncclGroupEnd at END
// EXPECT-PARTY grouped at SEND
// EXPECT-FACT hazard=WAR
// EXPECT-TEXT ncclGroupEnd runs ncclSend and ncclRecv at the same time
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kCount = 4096, kBytes = kCount * sizeof(float);
  CUstream stream = NewStream();
  const CUdeviceptr memory = NewZeros(2 * kBytes);
  ncclComm_t communicator;
  DONE(ncclCommInit(&communicator, 2, 0));
  DONE(ncclGroupStart());
  // @SEND
  DONE(ncclSend((void*)memory, kCount, kNcclFloat, 1, communicator, stream));
#ifdef DEFECT
  DONE(ncclRecv((void*)(memory + kBytes / 2), kCount, kNcclFloat, 1, communicator, stream));
#else
  DONE(ncclRecv((void*)(memory + kBytes), kCount, kNcclFloat, 1, communicator, stream));
#endif
  // @END
  DONE(ncclGroupEnd());
  // Groups follow each other in the stream, and a rank may send to itself in place. Reads may
  // overlap.
  DONE(ncclGroupStart());
  DONE(ncclRecv((void*)memory, kCount, kNcclFloat, 1, communicator, stream));
  DONE(ncclSend((void*)(memory + kBytes), kCount, kNcclFloat, 0, communicator, stream));
  DONE(ncclRecv((void*)(memory + kBytes), kCount, kNcclFloat, 0, communicator, stream));
  DONE(ncclGroupEnd());
  DONE(ncclGroupStart());
  DONE(ncclSend((void*)memory, kCount, kNcclFloat, 1, communicator, stream));
  DONE(ncclSend((void*)memory, kCount, kNcclFloat, 1, communicator, stream));
  DONE(ncclGroupEnd());
  // The kernels of two communicators follow each other in the stream.
  ncclComm_t other;
  DONE(ncclCommInit(&other, 2, 1));
  DONE(ncclGroupStart());
  DONE(ncclSend((void*)memory, kCount, kNcclFloat, 1, communicator, stream));
  DONE(ncclRecv((void*)memory, kCount, kNcclFloat, 0, other, stream));
  DONE(ncclGroupEnd());
  OK(cuStreamSynchronize(stream));
  DONE(ncclCommDestroy(other));
  DONE(ncclCommDestroy(communicator));
  OK(cuMemFree(memory));
  OK(cuStreamDestroy(stream));
  Close();
}
