// Defect: Functions return, and a thread ends, while commands still use their local arrays.
// Fix: The function waits for the commands.
#include <pthread.h>

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

// Defect: A thread enqueues a non-blocking write of its local array and ends.
// Fix: The thread waits for the write.
// EXPECT error host-free-in-flight clEnqueueWriteBuffer at WRITE_2
// EXPECT-TEXT the thread that owned 4 KiB of its stack has ended while clEnqueueWriteBuffer still reads
static cl_mem buffer;
static cl_event gate;

static void* StackOfUpload(void* unused) {
  (void)unused;
  int data[1024];
  for (int i = 0; i < 1024; ++i) data[i] = i;
  // @WRITE_2
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, NULL));
#ifndef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  return NULL;
}

static void StackOfEndedThread(void) {
  buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  gate = MADE(clCreateUserEvent(context, &error));
  pthread_t thread;
  if (pthread_create(&thread, NULL, StackOfUpload, NULL) != 0) abort();
  pthread_join(thread, NULL);
#ifdef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  OK(clFinish(queue));
  RELEASE(gate, buffer);
}

int main(void) {
  Open(0);
  LocalVariable();
  StorageOnTheStack();
  StackOfEndedThread();
  Close();
}
