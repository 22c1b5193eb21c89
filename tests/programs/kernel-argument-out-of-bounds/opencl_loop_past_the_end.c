// Defect: A kernel whose loop strides over the launch is told a count of bytes instead of elements.
// Fix: It gets the number of elements.
// EXPECT error kernel-argument-out-of-bounds clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=fill
// EXPECT-FACT launch_size=global size 16, local size NULL
// EXPECT-FACT first_byte=0
// EXPECT-FACT last_byte=1023
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(
      "kernel void fill(global int* values, int count) {"
      "  for (int i = get_global_id(0); i < count; i += get_global_size(0)) values[i] = i;"
      "}",
      "fill");
  // Behind the buffer there is room for the elements that are outside.
  static cl_int host[512];
  const size_t bytes = 256;
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, host, &error));
#ifdef DEFECT
  const cl_int count = (cl_int)bytes;
#else
  const cl_int count = (cl_int)(bytes / sizeof(cl_int));
#endif
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  OK(clSetKernelArg(kernel, 1, sizeof(count), &count));
  const size_t items = 16;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(buffer, kernel);
}
