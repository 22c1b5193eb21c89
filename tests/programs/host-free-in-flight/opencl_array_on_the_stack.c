// Defect: Functions return while commands still read their local arrays: as the source of a write,
// and as the memory of a buffer.
// Fix: The arrays exist as long as the commands.
#include "common/opencl.h"

// Defect: A function enqueues a non-blocking write of its local array and returns.
// Fix: The function waits for the write.
// EXPECT error host-free-in-flight clFinish at HERE
// EXPECT-PARTY pending-command at WRITE
// EXPECT-TEXT the function that owned 4 KiB of the stack has returned while clEnqueueWriteBuffer still reads
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

static void LocalVariable(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  Upload(buffer, gate);
#ifdef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  // @HERE
  OK(clFinish(queue));
  RELEASE(gate, buffer);
}

// Defect: A function makes a buffer of its local array, enqueues a copy of it, and returns. Nothing
// has waited for the copy.
// Fix: The array exists as long as the buffer.
// EXPECT error host-free-in-flight clFinish at HERE_2
// EXPECT-PARTY pending-command at COPY_2
// EXPECT-TEXT on its stack has returned while clEnqueueCopyBuffer still reads it
static cl_event gate2;

__attribute__((noinline)) static cl_mem NewTable(cl_mem to) {
#ifdef DEFECT
  cl_int table[1024];
#else
  static cl_int table[1024];
#endif
  for (int i = 0; i < 1024; ++i) table[i] = i;
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(table), table, &error));
  // @COPY_2
  OK(clEnqueueCopyBuffer(queue, buffer, to, 0, 0, sizeof(table), 1, &gate2, NULL));
  return buffer;
}

static void StorageOnTheStack(void) {
  gate2 = MADE(clCreateUserEvent(context, &error));
  cl_mem copy = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_mem buffer = NewTable(copy);
  OK(clSetUserEventStatus(gate2, CL_COMPLETE));
  // @HERE_2
  OK(clFinish(queue));
  RELEASE(gate2, buffer, copy);
}

int main(void) {
  Open(0);
  LocalVariable();
  StorageOnTheStack();
  Close();
}
