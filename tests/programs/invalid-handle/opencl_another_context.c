// Defect: Commands and waits name objects of several contexts.
// Fix: All objects belong to the context of the queue.
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

// Defect: Shared virtual memory is copied to and mapped through the queue of another context.
// Fix: The queue is of the context of the memory.
// EXPECT error invalid-handle clEnqueueSVMMemcpy at COPY
// EXPECT-PARTY allocation at CREATED_3
// EXPECT-FACT argument=dst_ptr
// EXPECT-TEXT another context
// EXPECT error invalid-handle clEnqueueSVMMap at MAP
// EXPECT error invalid-handle clEnqueueSVMUnmap at UNMAP
// EXPECT error invalid-handle clSVMFree at FREE
// EXPECT-FACT argument=svm_pointer
static void SvmOfAnotherContext(void) {
  int data[256] = {1};
  cl_context other = MADE(clCreateContext(NULL, 1, &device, NULL, NULL, &error));
#ifdef DEFECT
  // @CREATED_3
  int* shared = clSVMAlloc(other, CL_MEM_READ_WRITE, sizeof(data), 0);
#else
  int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof(data), 0);
#endif
  // @COPY
  clEnqueueSVMMemcpy(queue, CL_TRUE, shared, data, sizeof(data), 0, NULL, NULL);
  // @MAP
  clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, shared, sizeof(data), 0, NULL, NULL);
  // @UNMAP
  clEnqueueSVMUnmap(queue, shared, 0, NULL, NULL);
  clFinish(queue);
  // @FREE
  clSVMFree(context, shared);
  OK(clReleaseContext(other));
}

// Defect: A wait names events of two contexts.
// Fix: Each context has a wait of its own.
// EXPECT error invalid-handle clWaitForEvents CL_INVALID_CONTEXT at HERE_3
// EXPECT-FACT argument=event_list[1]
static void WaitForEventsOfTwoContexts(void) {
  cl_context other = MADE(clCreateContext(NULL, 1, &device, NULL, NULL, &error));
  cl_event events[2];
  events[0] = MADE(clCreateUserEvent(context, &error));
  events[1] = MADE(clCreateUserEvent(other, &error));
  for (int i = 0; i < 2; ++i) OK(clSetUserEventStatus(events[i], CL_COMPLETE));
#ifdef DEFECT
  // @HERE_3
  FAILS(CL_INVALID_CONTEXT, clWaitForEvents(2, events));
#else
  OK(clWaitForEvents(1, &events[0]));
  OK(clWaitForEvents(1, &events[1]));
#endif
  for (int i = 0; i < 2; ++i) OK(clReleaseEvent(events[i]));
  OK(clReleaseContext(other));
}

int main(void) {
  Open(0);
  BufferOfAnotherContext();
  EventOfAnotherContext();
  SvmOfAnotherContext();
  WaitForEventsOfTwoContexts();
  Close();
}
