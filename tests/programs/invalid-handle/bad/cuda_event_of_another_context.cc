// An event is recorded in a stream of another context than its own.
// EXPECT error invalid-handle cuEventRecord at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=hEvent
#include "common/cuda.h"

int main() {
  Open();
  CUcontext other;
  OK(cuCtxCreate(&other, nullptr, 0, device));  // it is current now
  CUstream stream = NewStream();
  OK(cuCtxSetCurrent(context));
  CUevent event;
  // @CREATED
  OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  // @HERE
  FAILS(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(event, stream));
  OK(cuEventDestroy(event));
  OK(cuStreamDestroy(stream));
  OK(cuCtxDestroy(other));
  Close();
}
