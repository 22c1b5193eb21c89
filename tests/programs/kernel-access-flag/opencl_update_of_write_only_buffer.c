// Defect: A kernel scales a CL_MEM_WRITE_ONLY buffer in place, and so reads it.
// Fix: The buffer is created for reading and writing.
// EXPECT error kernel-access-flag clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-TEXT is read but holds
// EXPECT-FACT kernel=scale
// EXPECT-FACT argument=0
#include "common/opencl.h"

int main(void) {
  Open(0);
  static float data[64];
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_WRITE_ONLY | CL_MEM_COPY_HOST_PTR;
#else
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
#endif
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, flags, sizeof(data), data, &error));
  cl_kernel kernel =
      NewKernel("kernel void scale(global float* data) { data[get_global_id(0)] *= 2; }", "scale");
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  const size_t items = 64;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(kernel, buffer);
}
