// Defect: A thread enqueues a non-blocking write of its local array and ends.
// Fix: The thread waits for the write.
// EXPECT error host-free-in-flight clEnqueueWriteBuffer at WRITE
// EXPECT-TEXT the thread that owned 4 KiB of its stack has ended while clEnqueueWriteBuffer still reads
#include "common/opencl.h"

#include <pthread.h>

static cl_mem buffer;
static cl_event gate;

static void* Upload(void* unused) {
  (void)unused;
  int data[1024];
  for (int i = 0; i < 1024; ++i) data[i] = i;
  // @WRITE
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, NULL));
#ifndef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  return NULL;
}

int main(void) {
  Open(0);
  buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  gate = MADE(clCreateUserEvent(context, &error));
  pthread_t thread;
  if (pthread_create(&thread, NULL, Upload, NULL) != 0) abort();
  pthread_join(thread, NULL);
#ifdef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  OK(clFinish(queue));
  CLOSE(gate, buffer);
}
