// An event is destroyed once.
#include "common/cuda.h"

int main() {
  Open();
  CUevent event = NewEvent();
  OK(cuEventRecord(event, nullptr));
  OK(cuEventSynchronize(event));
  // @FIRST
  OK(cuEventDestroy(event));
  Close();
}
