// Defect: A function enqueues a non-blocking write of its local array and returns.
// Fix: The function waits for the write.
// EXPECT error host-free-in-flight clFinish at HERE
// EXPECT-PARTY pending-command at WRITE
// EXPECT-TEXT the function that owned 4 KiB of the stack has returned while clEnqueueWriteBuffer still reads
#include "common/opencl.h"

__attribute__((noinline)) static void Upload(cl_mem buffer, cl_event gate) {
  int data[1024];
  for (int i = 0; i < 1024; ++i) data[i] = i;
  // @WRITE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, NULL));
#ifndef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#endif
}

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  Upload(buffer, gate);
#ifdef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  // @HERE
  OK(clFinish(queue));
  CLOSE(gate, buffer);
}
