// Defect: A collective of NCCL on its own stream sums gradients that a product on another stream
// still computes.
// Fix: The stream of the collective waits for an event behind the product.
// EXPECT error race ncclAllReduce at HERE
// EXPECT-PARTY pending-command at PRODUCT
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
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
  // @HERE
  DONE(ncclAllReduce((void*)gradients, (void*)sum, kCount, kNcclFloat, kNcclSum, communicator,
                     summing));
  OK(cuCtxSynchronize());
#ifndef DEFECT
  OK(cuEventDestroy(computed));
#endif
  DONE(ncclCommDestroy(communicator));
  DONE(cublasDestroy_v2(handle));
  for (CUdeviceptr memory : {a, gradients, sum}) OK(cuMemFree(memory));
  Close(summing, computing);
}
