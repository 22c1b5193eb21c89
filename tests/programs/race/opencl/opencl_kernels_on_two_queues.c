// Defect: A kernel reads what a kernel on another queue writes, by pointers that are not const.
// Fix: The second launch waits for the event of the first.
// EXPECT error race clEnqueueNDRangeKernel at READS
// EXPECT-PARTY pending-command at WRITES
// EXPECT-FACT hazard=RAW
// EXPECT-FACT kernel=twice
// EXPECT-FACT argument=0
// EXPECT-FACT earlier_kernel=fill
// EXPECT-FACT earlier_argument=0
// EXPECT-FACT launch_size=global size 64, local size NULL
// EXPECT-FACT earlier_launch_size=global size 64, local size NULL
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_command_queue other = NewQueue(0);
  cl_kernel fill = NewKernel(
      "kernel void fill(global int* values, global int* copy) {"
      "  size_t i = get_global_id(0);"
      "  values[i] = (int)i;"
      "  copy[i] = (int)i;"
      "}",
      "fill");
  cl_kernel twice = NewKernel(
      "kernel void twice(global int* from, global int* to) {"
      "  size_t i = get_global_id(0);"
      "  to[i] = 2 * from[i];"
      "}",
      "twice");
  cl_mem values = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &error));
  cl_mem copy = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &error));
  cl_mem result = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &error));
  OK(clSetKernelArg(fill, 0, sizeof(values), &values));
  OK(clSetKernelArg(fill, 1, sizeof(copy), &copy));
  OK(clSetKernelArg(twice, 0, sizeof(values), &values));
  OK(clSetKernelArg(twice, 1, sizeof(result), &result));
  const size_t items = 64;
  cl_event filled;
  // @WRITES
  OK(clEnqueueNDRangeKernel(queue, fill, 1, NULL, &items, NULL, 0, NULL, &filled));
#ifdef DEFECT
  // @READS
  OK(clEnqueueNDRangeKernel(other, twice, 1, NULL, &items, NULL, 0, NULL, NULL));
#else
  OK(clEnqueueNDRangeKernel(other, twice, 1, NULL, &items, NULL, 1, &filled, NULL));
#endif
  OK(clFinish(queue));
  OK(clFinish(other));
  OK(clReleaseEvent(filled));
  CLOSE(values, copy, result, fill, twice, other);
}
