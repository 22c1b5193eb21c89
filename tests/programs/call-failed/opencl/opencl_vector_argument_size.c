// Defect: A kernel's float3 argument is set from three floats, 12 B; the type has 16 B.
// Fix: The argument is set from a cl_float3.
// EXPECT error call-failed clSetKernelArg at HERE
// EXPECT-TEXT a float3 of 16 B
// EXPECT-FACT arg_size=12
// EXPECT-FACT needed_bytes=16
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(
      "kernel void move(global float* out, float3 step) { out[get_global_id(0)] = step.x + step.y + step.z; }", "move");
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
#ifdef DEFECT
  const cl_float step[4] = {1, 2, 3};
  // @HERE
  OK(clSetKernelArg(kernel, 1, 3 * sizeof(cl_float), step));
#else
  const cl_float3 step = {{1, 2, 3}};
  OK(clSetKernelArg(kernel, 1, sizeof(step), &step));
#endif
  const size_t global = 1024;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(out, kernel);
}
