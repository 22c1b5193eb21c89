// A stream waits for an event that was never recorded: that is no wait.
// EXPECT warning sync-object-misuse cuStreamWaitEvent at HERE
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent event = NewEvent();
  // @HERE
  OK(cuStreamWaitEvent(second, event, 0));
  OK(cuCtxSynchronize());
  OK(cuEventDestroy(event));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  Close();
}
