// Defect: A buffer is released between clSetKernelArg and the launch: being an argument does not
// keep it alive.
// Fix: A buffer is released after the launch, which keeps it alive until the kernel has ended.
// EXPECT error use-after-free clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-TEXT argument 0
// EXIT any
// MAY sync-object-misuse
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
#ifdef DEFECT
  // @RELEASED
  OK(clReleaseMemObject(buffer));
#endif
  const size_t items = 64;
  // @HERE
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
#ifndef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clReleaseMemObject(buffer));
#endif
#ifdef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  OK(clFinish(queue));
  CLOSE(gate, kernel);
}
