// Defect: A kernel writes a CL_MEM_READ_ONLY buffer: its code says so, not its parameter.
// Fix: A kernel writes a CL_MEM_WRITE_ONLY buffer.
// EXPECT error kernel-access-flag clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-TEXT is written but holds
// EXPECT-FACT kernel=fill
// EXPECT-FACT argument=0
#include "common/opencl.h"

int main(void) {
  Open(0);
  static int data[64];
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
#else
  const cl_mem_flags flags = CL_MEM_WRITE_ONLY | CL_MEM_COPY_HOST_PTR;
#endif
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, flags, sizeof(data), data, &error));
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  const size_t items = 64;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, buffer);
}
