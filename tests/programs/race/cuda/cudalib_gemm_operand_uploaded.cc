// Defect: The second operand of a product of cuBLAS, of which the library's launches do not tell the
// parameters, is uploaded on another stream.
// Fix: The product waits for an event behind the upload.
// EXPECT error race cublasSgemm_v2 at HERE
// EXPECT-PARTY pending-command at UPLOAD
// EXPECT-FACT hazard=RAW
#include "common/cuda.h"
#include "common/fake_libraries.h"

int main() {
  Open();
  constexpr int kSize = 64, kBytes = kSize * kSize * sizeof(float);
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr a = NewZeros(kBytes), b = NewZeros(kBytes), c = NewZeros(kBytes);
  char* data = NewPinned(kBytes);
  cublasHandle_t handle;
  DONE(cublasCreate_v2(&handle));
  DONE(cublasSetStream_v2(handle, first));
  const float one = 1;
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(b, data, kBytes, second));
#ifndef DEFECT
  CUevent uploaded = NewEvent();
  OK(cuEventRecord(uploaded, second));
  OK(cuStreamWaitEvent(first, uploaded, 0));
#endif
  // @HERE
  DONE(cublasSgemm_v2(handle, 0, 0, kSize, kSize, kSize, &one, (float*)a, kSize, (float*)b, kSize,
                      &one, (float*)c, kSize));
  OK(cuCtxSynchronize());
#ifndef DEFECT
  OK(cuEventDestroy(uploaded));
#endif
  DONE(cublasDestroy_v2(handle));
  OK(cuMemFreeHost(data));
  for (CUdeviceptr memory : {a, b, c}) OK(cuMemFree(memory));
  Close(second, first);
}
