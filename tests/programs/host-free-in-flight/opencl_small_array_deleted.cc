// Defect: A small array that a pending write reads is deleted.
// Fix: The write is waited for before the array is deleted.
// EXPECT error host-free-in-flight free at END
// EXPECT-PARTY pending-command at PENDING
#include "common/opencl.h"

int main() {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 64, nullptr, &error));
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  OK(clEnqueueBarrierWithWaitList(queue, 1, &gate, nullptr));
  int* data = new int[16]();
  // @PENDING
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 64, data, 0, nullptr, nullptr));
#ifndef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  // @END
  delete[] data;
#ifdef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  OK(clReleaseEvent(gate));
  OK(clReleaseMemObject(buffer));
  Close();
}
