// Defect: A kernel scatters into a buffer that a kernel on another queue reads as a whole.
// Fix: The reader waits for the event of the writer.
// EXPECT error race clEnqueueNDRangeKernel at SECOND
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=RAW
// EXPECT-FACT byte_range=0 to 255
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_command_queue other = NewQueue(0);
  cl_kernel scatter = NewKernel(
      "kernel void scatter(global const int* to, global int* values) {"
      "  int i = get_global_id(0);"
      "  values[to[i]] = i;"
      "}",
      "scatter");
  cl_kernel twice = NewKernel(
      "kernel void twice(global const int* values, global int* result) {"
      "  int i = get_global_id(0);"
      "  result[i] = 2 * values[i];"
      "}",
      "twice");
  int order[64];
  for (int i = 0; i < 64; ++i) order[i] = (17 * i) % 64;
  cl_mem to = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(order),
                                  order, &error));
  cl_mem values = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(order), NULL, &error));
  cl_mem result = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(order), NULL, &error));
  OK(clSetKernelArg(scatter, 0, sizeof(to), &to));
  OK(clSetKernelArg(scatter, 1, sizeof(values), &values));
  OK(clSetKernelArg(twice, 0, sizeof(values), &values));
  OK(clSetKernelArg(twice, 1, sizeof(result), &result));
  const size_t items = 64;
  cl_event scattered;
  // @FIRST
  OK(clEnqueueNDRangeKernel(queue, scatter, 1, NULL, &items, NULL, 0, NULL, &scattered));
#ifdef DEFECT
  const cl_uint waits = 0;
#else
  const cl_uint waits = 1;
#endif
  // @SECOND
  OK(clEnqueueNDRangeKernel(other, twice, 1, NULL, &items, NULL, waits, waits ? &scattered : NULL,
                            NULL));
  OK(clFinish(queue));
  OK(clFinish(other));
  OK(clReleaseEvent(scattered));
  CLOSE(to, values, result, scatter, twice, other);
}
