// Handles that were never made are not released.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem memory = NULL;
  cl_kernel kernel = NULL;
  cl_event event = NULL;
  if (memory != NULL) clReleaseMemObject(memory);
  if (kernel != NULL) clReleaseKernel(kernel);
  if (event != NULL) clRetainEvent(event);
  Close();
}
