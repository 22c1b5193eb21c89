// Sub-devices are retained and released while a context and a queue use them.
#include "common/opencl.h"

int main(void) {
  setenv("POCL_MAX_PTHREAD_COUNT", "2", 1);
  Open(0);
  const cl_device_partition_property kEach[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[2], first = NULL;
  cl_uint count = 0;
  OK(clCreateSubDevices(device, kEach, 0, NULL, &count));
  if (count != 2) abort();
  OK(clCreateSubDevices(device, kEach, 2, parts, &count));
  if (count != 2) abort();
  cl_context both = MADE(clCreateContext(NULL, 2, parts, NULL, NULL, &error));
  OK(clRetainDevice(parts[1]));
  OK(clReleaseDevice(parts[1]));
  cl_uint units = 0;
  OK(clGetDeviceInfo(parts[1], CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL));
  cl_command_queue own = MADE(clCreateCommandQueueWithProperties(both, parts[0], NULL, &error));
  OK(clGetCommandQueueInfo(own, CL_QUEUE_DEVICE, sizeof(first), &first, NULL));
  OK(clRetainDevice(first));
  OK(clReleaseDevice(first));
  OK(clRetainDevice(device));
  OK(clReleaseDevice(device));
  // Queries with an unknown name, or whose size the program looks for.
  char small[4];
  size_t needed = 0;
  clGetDeviceInfo(device, 0x7777, sizeof(units), &units, NULL);
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(small), small, NULL);
  clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(small), small, &needed);
  OK(clReleaseCommandQueue(own));
  OK(clReleaseContext(both));
  for (int i = 0; i < 2; ++i) OK(clReleaseDevice(parts[i]));
  Close();
}
