// Each handle is given to the calls of its kind.
#include "common/cuda.h"

int main() {
  Open();
  CUevent event;
  OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  const uintptr_t handle = (uintptr_t)event;
  OK(cuEventSynchronize((CUevent)handle));
  OK(cuEventDestroy(event));
  Close();
}
