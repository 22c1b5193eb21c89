// A stream waits for an event that was never recorded, as loops over buffers do in their first round:
// that is no wait.
#include "common/cuda.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUevent event = NewEvent();
  OK(cuStreamWaitEvent(second, event, 0));
  OK(cuCtxSynchronize());
  Close(event, second, first);
}
