// Defect: A kernel argument is set to a buffer that was released.
// Fix: A kernel argument is set to a buffer that is alive.
// EXPECT error use-after-free clSetKernelArg at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
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
#ifndef DEFECT
  clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
#endif
#ifndef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  // @RELEASED
  OK(clReleaseMemObject(buffer));
#ifdef DEFECT
  // @HERE
  clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
#endif
#ifdef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  OK(clFinish(queue));
  CLOSE(gate, kernel);
}
