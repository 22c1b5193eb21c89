// Defect: The program queries the time between events of which one was never recorded, and between
// events that were created without timing.
// Fix: The events have timing and were recorded.
#include "common/cuda.h"

// Defect: The program queries the time between two events, and the second was never recorded.
// Fix: Both events were recorded.
// EXPECT error sync-object-misuse cuEventElapsedTime_v2 at HERE
static void ElapsedTimeWithoutRecord() {
  CUevent begin, end;
  OK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  OK(cuEventRecord(begin, nullptr));
#ifndef DEFECT
  OK(cuEventRecord(end, nullptr));
#endif
  OK(cuCtxSynchronize());
  float milliseconds = 0;
  // @HERE
  cuEventElapsedTime(&milliseconds, begin, end);
  Release(end, begin);
}

// Defect: The program queries the time between two events that were created without timing.
// Fix: The events were created with timing.
// EXPECT error sync-object-misuse cuEventElapsedTime_v2 at HERE_2
// EXPECT-TEXT CU_EVENT_DISABLE_TIMING
static void ElapsedTimeWithoutTiming() {
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
  // @HERE_2
  cuEventElapsedTime(&milliseconds, begin, end);
  Release(end, begin);
}

int main() {
  Open();
  ElapsedTimeWithoutRecord();
  ElapsedTimeWithoutTiming();
  Close();
}
