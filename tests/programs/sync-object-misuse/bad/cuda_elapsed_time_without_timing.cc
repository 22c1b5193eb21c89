// The time between two events is asked for that were created without timing.
// EXPECT error sync-object-misuse cuEventElapsedTime_v2 at HERE
// EXPECT-TEXT CU_EVENT_DISABLE_TIMING
#include "common/cuda.h"

int main() {
  Open();
  const unsigned flags = CU_EVENT_DISABLE_TIMING;
  CUevent begin, end;
  OK(cuEventCreate(&begin, flags));
  OK(cuEventCreate(&end, flags));
  OK(cuEventRecord(begin, nullptr));
  OK(cuEventRecord(end, nullptr));
  OK(cuCtxSynchronize());
  float milliseconds = 0;
  // @HERE
  cuEventElapsedTime(&milliseconds, begin, end);
  OK(cuEventDestroy(end));
  OK(cuEventDestroy(begin));
  Close();
}
