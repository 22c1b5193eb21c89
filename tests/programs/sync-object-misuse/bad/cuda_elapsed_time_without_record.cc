// The time between two events is asked for, and the second was never recorded.
// EXPECT error sync-object-misuse cuEventElapsedTime_v2 at HERE
#include "common/cuda.h"

int main() {
  Open();
  CUevent begin, end;
  OK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  OK(cuEventRecord(begin, nullptr));
  OK(cuCtxSynchronize());
  float milliseconds = 0;
  // @HERE
  cuEventElapsedTime(&milliseconds, begin, end);
  OK(cuEventDestroy(end));
  OK(cuEventDestroy(begin));
  Close();
}
