// Defect: An event is destroyed twice.
// Fix: An event is destroyed once.
// EXPECT error over-release cuEventDestroy_v2 at HERE
// EXPECT-PARTY release at FIRST
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUevent event = NewEvent();
  OK(cuEventRecord(event, nullptr));
  OK(cuEventSynchronize(event));
  // @FIRST
  OK(cuEventDestroy(event));
#ifdef DEFECT
  // @HERE
  cuEventDestroy(event);
#endif
  Close();
}
