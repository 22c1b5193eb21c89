// Defect buffer: A buffer is released twice, retained never. (A pending command keeps the driver
// from crashing at once.)
// EXPECT error over-release clReleaseMemObject at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXIT any
// MAY sync-object-misuse
// Defect event: An event is released twice. (Its pending command keeps the driver from crashing at
// once.)
// EXPECT error over-release clReleaseEvent at HERE_2
// EXPECT-PARTY release at RELEASED_2
// EXIT any
// Defect kernel: A kernel is released twice.
// EXPECT error over-release clReleaseKernel at HERE_3
// EXPECT-PARTY release at RELEASED_3
// EXIT any
// Fix: Each object is released once.
#include "common/opencl.h"

// Fix: A buffer is released as often as it was created and retained.
static void Buffer(void) {
  static char data[1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, NULL));
#ifndef DEFECT_buffer
  OK(clRetainMemObject(buffer));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  // @RELEASED
  OK(clReleaseMemObject(buffer));
  // @HERE
  clReleaseMemObject(buffer);
#ifdef DEFECT_buffer
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  OK(clFinish(queue));
  RELEASE(gate);
}

// Fix: An event is released once.
static void Event(void) {
  static char data[1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_event written;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, &written));
  // @RELEASED_2
  OK(clReleaseEvent(written));
#ifdef DEFECT_event
  // @HERE_2
  clReleaseEvent(written);
#endif
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  RELEASE(gate, buffer);
}

// Fix: A kernel is released once.
static void Kernel(void) {
  cl_kernel kernel =
      NewKernel("kernel void fill(global int* out) { out[get_global_id(0)] = 7; }", "fill");
  // @RELEASED_3
  OK(clReleaseKernel(kernel));
#ifdef DEFECT_kernel
  // @HERE_3
  clReleaseKernel(kernel);
#endif
}

int main(void) {
  Open(0);
  Buffer();
  Event();
  Kernel();
  Close();
}
