// Defect: The time between two events is asked for, and the second was never recorded.
// Fix: The time between two recorded events is asked for.
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
  OK(cuEventDestroy(end));
  OK(cuEventDestroy(begin));
  Close();
}
