// A clone keeps the arguments of its original, which is set and released otherwise.
#include "common/opencl.h"

int main(void) {
  Open(0);
  int result[64];
  cl_kernel kernel = NewKernel(
      "kernel void fill(global int* out, int value) { out[get_global_id(0)] = value; }", "fill");
  cl_mem one = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  cl_mem two = MADE(clCreateBuffer(context, 0, sizeof(result), NULL, &error));
  const cl_int values[2] = {1, 2};
  const size_t items = 64;
  OK(clSetKernelArg(kernel, 0, sizeof(one), &one));
  OK(clSetKernelArg(kernel, 1, sizeof(cl_int), &values[0]));
  cl_kernel clone = MADE(clCloneKernel(kernel, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(two), &two));
  OK(clSetKernelArg(kernel, 1, sizeof(cl_int), &values[1]));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clReleaseKernel(kernel));
  OK(clEnqueueNDRangeKernel(queue, clone, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clReleaseKernel(clone));
  OK(clEnqueueReadBuffer(queue, one, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d\n", result[63]);
  OK(clEnqueueReadBuffer(queue, two, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d\n", result[63]);
  CLOSE(two, one);
}
