// Defect: Handles of streams and events are swapped, which happens where both are plain integers to
// the program.
// Fix: Each handle is passed to the calls of its type.
// EXPECT error invalid-handle cuStreamSynchronize at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT expected_kind=stream
// EXIT any
#include "common/cuda.h"

int main() {
  Open();
  CUevent event;
  // @CREATED
  OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  const uintptr_t handle = (uintptr_t)event;
#ifdef DEFECT
  // @HERE
  cuStreamSynchronize((CUstream)handle);
  _Exit(0);  // what a driver makes of it is nobody's business
#else
  OK(cuEventSynchronize((CUevent)handle));
  Close(event);
#endif
}
