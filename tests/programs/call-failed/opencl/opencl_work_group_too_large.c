// Defect: A work-group is larger than the device allows.
// Fix: A work-group is as large as the device chooses.
// EXPECT warning call-failed clEnqueueNDRangeKernel CL_INVALID_WORK_GROUP_SIZE at HERE
// EXPECT-TEXT local_work_size 8192 has 8192 work-items, more than CL_DEVICE_MAX_WORK_GROUP_SIZE, \d+ \(
#include "common/opencl.h"

int main(void) {
  Open(0);
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
  // @HERE
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, group, 0, NULL, NULL);
  OK(clFinish(queue));
  CLOSE(kernel, out);
}
