// Defect: A queue on the device is not out-of-order.
// Fix: The program needs a queue of the host only.
// EXPECT warning call-failed clCreateCommandQueueWithProperties at HERE
// EXPECT-TEXT without CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE
// OPTION --disable=leak
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  const cl_queue_properties kProperties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0};
#else
  const cl_queue_properties kProperties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
#endif
  // @HERE
  cl_command_queue other = clCreateCommandQueueWithProperties(context, device, kProperties, &error);
  if (other != NULL) OK(clReleaseCommandQueue(other));
  Close();
}
