// Kernels on two queues. One scatters into the upper half of a buffer, and, for negative values,
// into another buffer; there are no negative values. The others read the lower half and the other
// buffer.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_command_queue other = NewQueue(0);
  cl_kernel scatter = NewKernel(
      "kernel void scatter(global const int* to, global int* values, global int* rest) {"
      "  int i = get_global_id(0);"
      "  values[to[i]] = i;"
      "  if (to[i] < 0) rest[-to[i]] = i;"
      "}",
      "scatter");
  const char* twice =
      "kernel void twice(global const int* values, global int* result) {"
      "  int i = get_global_id(0);"
      "  result[i] = 2 * values[i];"
      "}";
  cl_kernel of_half = NewKernel(twice, "twice"), of_rest = NewKernel(twice, "twice");
  int order[32], zeros[64] = {0};
  for (int i = 0; i < 32; ++i) order[i] = 32 + (17 * i) % 32;
  cl_mem to = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(order),
                                  order, &error));
  cl_mem values = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                      sizeof(zeros), zeros, &error));
  cl_mem rest = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                    sizeof(zeros), zeros, &error));
  cl_mem results[2];
  for (int i = 0; i < 2; ++i)
    results[i] = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(zeros), NULL, &error));
  OK(clSetKernelArg(scatter, 0, sizeof(to), &to));
  OK(clSetKernelArg(scatter, 1, sizeof(values), &values));
  OK(clSetKernelArg(scatter, 2, sizeof(rest), &rest));
  OK(clSetKernelArg(of_half, 0, sizeof(values), &values));
  OK(clSetKernelArg(of_half, 1, sizeof(results[0]), &results[0]));
  OK(clSetKernelArg(of_rest, 0, sizeof(rest), &rest));
  OK(clSetKernelArg(of_rest, 1, sizeof(results[1]), &results[1]));
  const size_t half = 32, all = 64;
  OK(clEnqueueNDRangeKernel(queue, scatter, 1, NULL, &half, NULL, 0, NULL, NULL));
  OK(clEnqueueNDRangeKernel(other, of_half, 1, NULL, &half, NULL, 0, NULL, NULL));
  OK(clEnqueueNDRangeKernel(other, of_rest, 1, NULL, &all, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(other));
  OK(clReleaseMemObject(to));
  OK(clReleaseMemObject(values));
  OK(clReleaseMemObject(rest));
  for (int i = 0; i < 2; ++i) OK(clReleaseMemObject(results[i]));
  CLOSE(scatter, of_half, of_rest, other);
}
