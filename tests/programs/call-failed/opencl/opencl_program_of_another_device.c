// Defect: A kernel is enqueued for a device for which its program was not built.
// Fix: The program is built for both devices.
// EXPECT error call-failed clEnqueueNDRangeKernel at HERE
// EXPECT-TEXT was not built for the device of
#include "common/opencl.h"

int main(void) {
  setenv("POCL_MAX_PTHREAD_COUNT", "2", 1);
  Open(0);
  const cl_device_partition_property kEach[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[2];
  cl_uint units = 0;
  OK(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL));
  OK(clCreateSubDevices(device, kEach, units == 2 ? 2 : 0, units == 2 ? parts : NULL, &units));
  if (units != 2) abort();
  cl_context both = MADE(clCreateContext(NULL, 2, parts, NULL, NULL, &error));
  cl_command_queue second = MADE(clCreateCommandQueueWithProperties(both, parts[1], NULL, &error));
  const char* source = "kernel void fill(global int* out) { out[get_global_id(0)] = 7; }";
  cl_program program = MADE(clCreateProgramWithSource(both, 1, &source, NULL, &error));
#ifdef DEFECT
  const cl_uint count = 1;
#else
  const cl_uint count = 2;
#endif
  OK(clBuildProgram(program, count, parts, NULL, NULL, NULL));
  cl_kernel fill = MADE(clCreateKernel(program, "fill", &error));
  cl_mem out = MADE(clCreateBuffer(both, 0, 4096, NULL, &error));
  OK(clSetKernelArg(fill, 0, sizeof(out), &out));
  const size_t items = 64;
  // @HERE
  clEnqueueNDRangeKernel(second, fill, 1, NULL, &items, NULL, 0, NULL, NULL);
  OK(clFinish(second));
  OK(clReleaseMemObject(out));
  OK(clReleaseKernel(fill));
  OK(clReleaseProgram(program));
  OK(clReleaseCommandQueue(second));
  OK(clReleaseContext(both));
  for (int i = 0; i < 2; ++i) OK(clReleaseDevice(parts[i]));
  Close();
}
