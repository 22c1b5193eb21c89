// The time between two recorded events is asked for.
#include "common/cuda.h"

int main() {
  Open();
  CUevent begin, end;
  OK(cuEventCreate(&begin, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  OK(cuEventRecord(begin, nullptr));
  OK(cuEventRecord(end, nullptr));
  OK(cuCtxSynchronize());
  float milliseconds = 0;
  cuEventElapsedTime(&milliseconds, begin, end);
  OK(cuEventDestroy(end));
  OK(cuEventDestroy(begin));
  Close();
}
