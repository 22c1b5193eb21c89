// The event is created while the stream's context is current; then any thread and context may
// record it.
#include "common/cuda.h"

int main() {
  Open();
  CUcontext other;
  OK(cuCtxCreate(&other, nullptr, 0, device));  // it is current now
  CUstream stream = NewStream();
  CUevent event;
  OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  OK(cuCtxSetCurrent(context));
  OK(cuEventRecord(event, stream));
  OK(cuEventDestroy(event));
  OK(cuStreamDestroy(stream));
  OK(cuCtxDestroy(other));
  Close();
}
