// The default queue of a device is created twice: the second call returns the same queue, retained.
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue first = MADE(clCreateCommandQueueWithProperties(context, device, properties, &error));
  cl_command_queue second = MADE(clCreateCommandQueueWithProperties(context, device, properties, &error));
  if (first != second) return 1;
  CLOSE(first, second);
}
