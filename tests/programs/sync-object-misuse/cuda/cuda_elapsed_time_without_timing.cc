// Defect: The program queries the time between two events that were created without timing.
// Fix: The events were created with timing.
// EXPECT error sync-object-misuse cuEventElapsedTime_v2 at HERE
// EXPECT-TEXT CU_EVENT_DISABLE_TIMING
#include "common/cuda.h"

int main() {
  Open();
#ifdef DEFECT
  const unsigned flags = CU_EVENT_DISABLE_TIMING;
#else
  const unsigned flags = CU_EVENT_DEFAULT;
#endif
  CUevent begin, end;
  OK(cuEventCreate(&begin, flags));
  OK(cuEventCreate(&end, flags));
  OK(cuEventRecord(begin, nullptr));
  OK(cuEventRecord(end, nullptr));
  OK(cuCtxSynchronize());
  float milliseconds = 0;
  // @HERE
  cuEventElapsedTime(&milliseconds, begin, end);
  Close(end, begin);
}
