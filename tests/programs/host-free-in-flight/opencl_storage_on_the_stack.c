// Defect: A function makes a buffer of its local array, enqueues a copy of it, and returns. Nothing
// has waited for the copy.
// Fix: The array exists as long as the buffer.
// EXPECT error host-free-in-flight clFinish at HERE
// EXPECT-PARTY pending-command at COPY
// EXPECT-TEXT on its stack has returned while clEnqueueCopyBuffer still reads it
#include "common/opencl.h"

static cl_event gate;

__attribute__((noinline)) static cl_mem NewTable(cl_mem to) {
#ifdef DEFECT
  cl_int table[1024];
#else
  static cl_int table[1024];
#endif
  for (int i = 0; i < 1024; ++i) table[i] = i;
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(table), table, &error));
  // @COPY
  OK(clEnqueueCopyBuffer(queue, buffer, to, 0, 0, sizeof(table), 1, &gate, NULL));
  return buffer;
}

int main(void) {
  Open(0);
  gate = MADE(clCreateUserEvent(context, &error));
  cl_mem copy = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_mem buffer = NewTable(copy);
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  // @HERE
  OK(clFinish(queue));
  CLOSE(gate, buffer, copy);
}
