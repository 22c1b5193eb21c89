// A stream waits for an event that was recorded.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent event = NewEvent();
  OK(cuEventRecord(event, first));
  OK(cuStreamWaitEvent(second, event, 0));
  OK(cuCtxSynchronize());
  OK(cuEventDestroy(event));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
