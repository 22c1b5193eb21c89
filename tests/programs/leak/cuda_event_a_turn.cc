// Defect: Each turn of a loop creates an event, records it and keeps it.
// Fix: Each turn of a loop destroys the event that it created.
// EXPECT warning leak cuEventCreate at HERE
// EXPECT-FACT objects=100
#include "common/cuda.h"

int main() {
  Open();
  CUstream stream = NewStream();
  for (int turn = 0; turn < 100; ++turn) {
    CUevent event;
    // @HERE
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(event, stream));
    OK(cuEventSynchronize(event));
#ifndef DEFECT
    OK(cuEventDestroy(event));
#endif
  }
  Close(stream);
}
