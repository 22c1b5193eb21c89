// Defect: A work-group does not divide the work-items, and another one is larger than the device
// allows.
// Fix: The work-groups fit.
#include "common/opencl.h"

// Defect: The number of work-items is not a multiple of the work-group's.
// Fix: The number of work-items is rounded up to a multiple of the work-group's.
// EXPECT warning call-failed clEnqueueNDRangeKernel CL_INVALID_WORK_GROUP_SIZE at HERE
// EXPECT-TEXT global_work_size\[0\] is 100, not a multiple of local_work_size\[0\], 64
static void WorkGroupDoesNotDivide(void) {
  cl_mem out = MADE(clCreateBuffer(context, 0, 128 * sizeof(cl_int), NULL, &error));
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
#ifdef DEFECT
  const size_t items = 100, group = 64;
#else
  const size_t items = 128, group = 64;
#endif
  // @HERE
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(kernel, out);
}

// Defect: A work-group is larger than the device allows.
// Fix: A work-group is as large as the device chooses.
// EXPECT warning call-failed clEnqueueNDRangeKernel CL_INVALID_WORK_GROUP_SIZE at HERE_2
// EXPECT-TEXT local_work_size 8192 has 8192 work-items, more than CL_DEVICE_MAX_WORK_GROUP_SIZE, \d+ \(
static void WorkGroupTooLarge(void) {
  cl_mem out = MADE(clCreateBuffer(context, 0, 8192 * sizeof(cl_int), NULL, &error));
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
  const size_t items = 8192;
#ifdef DEFECT
  const size_t* group = &items;
#else
  const size_t* group = NULL;
#endif
  // @HERE_2
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, group, 0, NULL, NULL);
  OK(clFinish(queue));
  RELEASE(kernel, out);
}

int main(void) {
  Open(0);
  WorkGroupDoesNotDivide();
  WorkGroupTooLarge();
  Close();
}
