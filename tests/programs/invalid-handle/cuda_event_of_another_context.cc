// Defect: An event is recorded in a stream of another context than its own.
// Fix: The event is created while the stream's context is current; then any thread and context may
// record it.
// EXPECT error invalid-handle cuEventRecord at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT argument=hEvent
#include "common/cuda.h"

int main() {
  Open();
  CUcontext other;
  OK(cuCtxCreate(&other, nullptr, 0, device));  // it is current now
  CUstream stream = NewStream();
#ifdef DEFECT
  OK(cuCtxSetCurrent(context));
#endif
  CUevent event;
  // @CREATED
  OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
#ifdef DEFECT
  // @HERE
  FAILS(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(event, stream));
#else
  OK(cuCtxSetCurrent(context));
  OK(cuEventRecord(event, stream));
#endif
  OK(cuEventDestroy(event));
  OK(cuStreamDestroy(stream));
  OK(cuCtxDestroy(other));
  Close();
}
