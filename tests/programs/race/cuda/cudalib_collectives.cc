// Defect: NCCL uses buffers that another stream, or another transfer of the group, uses without an
// order.
// Fix: The stream of NCCL waits, and the transfers of a group have their own memory.
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

// Defect: A reduction of NCCL on the default stream reads a buffer that another stream fills.
// Fix: The buffer is filled on the default stream.
// EXPECT error race ncclAllReduce at HERE
// EXPECT-PARTY pending-command at FILL_3
// EXPECT-FACT hazard=RAW
static void AllReduceOnDefaultStream() {
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
  // @FILL_3
  OK(cuMemsetD8Async(send, 1, kBytes, filling));
  // @HERE
  DONE(ncclAllReduce((void*)send, (void*)receive, kCount, kNcclFloat, kNcclSum, communicator,
                     nullptr));
  OK(cuCtxSynchronize());
  DONE(ncclCommDestroy(communicator));
  Release(receive, send, other);
}

// Defect: A collective of NCCL on its own stream sums gradients that a product on another stream
// still computes.
// Fix: The stream of the collective waits for an event behind the product.
// EXPECT error race ncclAllReduce at HERE_2
// EXPECT-PARTY pending-command at PRODUCT
static void AllReduceWithoutWait() {
  constexpr int kSize = 64, kCount = kSize * kSize, kBytes = kCount * sizeof(float);
  CUstream computing = NewStream(), summing = NewStream();
  CUdeviceptr a = NewZeros(kBytes), gradients = NewZeros(kBytes), sum = NewZeros(kBytes);
  cublasHandle_t handle;
  DONE(cublasCreate_v2(&handle));
  DONE(cublasSetStream_v2(handle, computing));
  ncclComm_t communicator;
  DONE(ncclCommInit(&communicator, 2, 0));
  const float one = 1, zero = 0;
  // @PRODUCT
  DONE(cublasSgemm_v2(handle, 0, 0, kSize, kSize, kSize, &one, (float*)a, kSize, (float*)a, kSize,
                      &zero, (float*)gradients, kSize));
#ifndef DEFECT
  CUevent computed = NewEvent();
  OK(cuEventRecord(computed, computing));
  OK(cuStreamWaitEvent(summing, computed, 0));
#endif
  // @HERE_2
  DONE(ncclAllReduce((void*)gradients, (void*)sum, kCount, kNcclFloat, kNcclSum, communicator,
                     summing));
  OK(cuCtxSynchronize());
#ifndef DEFECT
  OK(cuEventDestroy(computed));
#endif
  DONE(ncclCommDestroy(communicator));
  DONE(cublasDestroy_v2(handle));
  for (CUdeviceptr memory : {a, gradients, sum}) OK(cuMemFree(memory));
  Release(summing, computing);
}

// Defect: A group receives into a part of the memory that it sends: the transfers of a group run
// concurrently.
// Fix: The group receives into other memory.
// EXPECT error race ncclGroupEnd at END
// EXPECT-PARTY grouped at SEND_3
// EXPECT-FACT hazard=WAR
// EXPECT-TEXT ncclGroupEnd runs ncclSend and ncclRecv at the same time
static void TransfersOfAGroupOverlap() {
  constexpr int kCount = 4096, kBytes = kCount * sizeof(float);
  CUstream stream = NewStream();
  const CUdeviceptr memory = NewZeros(2 * kBytes);
  ncclComm_t communicator;
  DONE(ncclCommInit(&communicator, 2, 0));
  DONE(ncclGroupStart());
  // @SEND_3
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
}

int main() {
  Open();
  GroupOfTransfers();
  GroupOfTwoStreams();
  AllReduceOnDefaultStream();
  AllReduceWithoutWait();
  TransfersOfAGroupOverlap();
  Close();
}
