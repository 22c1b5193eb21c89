// Defect: Writes name a buffer and an event of another context than that of the queue.
// Fix: Both are of the context of the queue.
#include "common/opencl.h"

// Defect: A buffer is written through the queue of another context.
// Fix: A buffer is written through a queue of its own context.
// EXPECT error invalid-handle clEnqueueWriteBuffer at HERE
// EXPECT-PARTY allocation at CREATED
static void BufferOfAnotherContext(void) {
  static char data[1024];
  cl_context other = MADE(clCreateContext(NULL, 1, &device, NULL, NULL, &error));
#ifdef DEFECT
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(other, 0, sizeof(data), NULL, &error));
#else
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
#endif
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
  OK(clReleaseMemObject(buffer));
  OK(clReleaseContext(other));
}

// Defect: A wait list names an event of another context.
// Fix: A wait list names an event of the queue's context.
// EXPECT error invalid-handle clEnqueueWriteBuffer at HERE_2
// EXPECT-PARTY allocation at CREATED_2
static void EventOfAnotherContext(void) {
  static char data[1024];
  cl_context other = MADE(clCreateContext(NULL, 1, &device, NULL, NULL, &error));
#ifdef DEFECT
  // @CREATED_2
  cl_event gate = MADE(clCreateUserEvent(other, &error));
#else
  cl_event gate = MADE(clCreateUserEvent(context, &error));
#endif
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  // @HERE_2
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 1, &gate, NULL);
  OK(clReleaseMemObject(buffer));
  OK(clReleaseEvent(gate));
  OK(clReleaseContext(other));
}

int main(void) {
  Open(0);
  BufferOfAnotherContext();
  EventOfAnotherContext();
  Close();
}
