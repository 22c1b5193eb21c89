// Defect: Kernels on two queues stride over parts of a buffer that overlap by one element.
// Fix: The second part begins behind the first one.
// EXPECT error race clEnqueueNDRangeKernel at SECOND
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
// EXPECT-FACT launch_size=global size 8, local size NULL
// EXPECT-FACT byte_range=396 to 799
// EXPECT-FACT earlier_byte_range=0 to 399
#include "common/opencl.h"

#ifdef DEFECT
#define BEGIN 99
#else
#define BEGIN 100
#endif

int main(void) {
  Open(0);
  cl_command_queue other = NewQueue(0);
  cl_kernel kernels[2];
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 800, NULL, &error));
  const cl_int begins[2] = {0, BEGIN}, ends[2] = {100, 200};
  for (int i = 0; i < 2; ++i) {
    kernels[i] = NewKernel(
        "kernel void fill(global int* values, int begin, int end) {"
        "  for (int i = begin + get_global_id(0); i < end; i += get_global_size(0)) values[i] = i;"
        "}",
        "fill");
    OK(clSetKernelArg(kernels[i], 0, sizeof(buffer), &buffer));
    OK(clSetKernelArg(kernels[i], 1, sizeof(cl_int), &begins[i]));
    OK(clSetKernelArg(kernels[i], 2, sizeof(cl_int), &ends[i]));
  }
  const size_t items = 8;
  // @FIRST
  OK(clEnqueueNDRangeKernel(queue, kernels[0], 1, NULL, &items, NULL, 0, NULL, NULL));
  // @SECOND
  OK(clEnqueueNDRangeKernel(other, kernels[1], 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clFinish(other));
  CLOSE(buffer, kernels[0], kernels[1], other);
}
