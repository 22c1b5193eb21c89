// Defect: The program queries the time between two events, and the second was never recorded.
// Fix: Both events were recorded.
// EXPECT error sync-object-misuse cuEventElapsedTime_v2 at HERE
#include "common/cuda.h"

int main() {
  Open();
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
  Close(end, begin);
}
