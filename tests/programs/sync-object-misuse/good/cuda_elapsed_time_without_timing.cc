// The time between two events is asked for that were created with timing.
#include "common/cuda.h"

int main() {
  Open();
  const unsigned flags = CU_EVENT_DEFAULT;
  CUevent begin, end;
  OK(cuEventCreate(&begin, flags));
  OK(cuEventCreate(&end, flags));
  OK(cuEventRecord(begin, nullptr));
  OK(cuEventRecord(end, nullptr));
  OK(cuCtxSynchronize());
  float milliseconds = 0;
  cuEventElapsedTime(&milliseconds, begin, end);
  OK(cuEventDestroy(end));
  OK(cuEventDestroy(begin));
  Close();
}
