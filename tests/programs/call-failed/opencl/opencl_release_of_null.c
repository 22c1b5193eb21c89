// Defect: Handles that were never created are released: the call returns only "invalid object".
// Fix: Handles that were never created are not released.
// EXPECT warning call-failed clReleaseMemObject CL_INVALID_MEM_OBJECT at MEMORY
// EXPECT-TEXT memobj is NULL
// EXPECT warning call-failed clReleaseKernel CL_INVALID_KERNEL at KERNEL
// EXPECT-TEXT kernel is NULL
// EXPECT warning call-failed clRetainEvent CL_INVALID_EVENT at EVENT
// EXPECT-TEXT event is NULL
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem memory = NULL;
  cl_kernel kernel = NULL;
  cl_event event = NULL;
#ifdef DEFECT
  // @MEMORY
  clReleaseMemObject(memory);
  // @KERNEL
  clReleaseKernel(kernel);
  // @EVENT
  clRetainEvent(event);
#else
  if (memory != NULL) clReleaseMemObject(memory);
  if (kernel != NULL) clReleaseKernel(kernel);
  if (event != NULL) clRetainEvent(event);
#endif
  Close();
}
