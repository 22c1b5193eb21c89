// Defect: A kernel writes a buffer that the host has mapped.
// Fix: A buffer is unmapped before a kernel writes it.
// EXPECT error mapping-invalid clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY map at MAPPED
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @MAPPED
  void* mapped = MADE(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 4096, 0, NULL, NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  const size_t items = 64;
#ifndef DEFECT
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
#endif
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
#ifdef DEFECT
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  CLOSE(kernel, buffer);
}
