// Defect block: A buffer is written from a host block that was just freed.
// EXPECT error use-after-free clEnqueueWriteBuffer at WRITE_BLOCK
// EXPECT-PARTY host-block at MADE
// EXPECT-PARTY release at FREED
// EXPECT-FACT block_bytes=8192
// EXPECT-TEXT points 4096 B into a host block of 8 KiB that has been freed; the command uses 4 KiB from there
// Defect svm: Shared virtual memory is freed, and then a buffer is filled from it as from any host
// memory.
// EXPECT error use-after-free clEnqueueWriteBuffer at WRITE_SHARED
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=ptr
// Defect released_buffer: A buffer is written after its last reference was released. (A pending
// command keeps the driver from crashing.)
// EXPECT error use-after-free clEnqueueWriteBuffer at HERE
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-PARTY release at RELEASED_2
// MAY sync-object-misuse
// Fix: The source is freed, and the buffer is released, after the write.
// EXIT any
#include "common/opencl.h"

// Fix: The memory is freed after the writes.
static void FromFreed(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  // @MADE
  char* data = calloc(1, 8192);
  // @CREATED
  int* shared = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 8192, 0);
#if !defined(DEFECT_block) && !defined(DEFECT_svm)
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, data + 4096, 0, NULL, NULL);
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, shared + 512, 0, NULL, NULL);
#endif
  // @FREED
  free(data);
  // @RELEASED
  clSVMFree(context, shared);
#ifdef DEFECT_block
  // @WRITE_BLOCK
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, data + 4096, 0, NULL, NULL);
#elif defined(DEFECT_svm)
  // @WRITE_SHARED
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4096, shared + 512, 0, NULL, NULL);
#endif
  RELEASE(buffer);
}

// Fix: A buffer is released after its last use.
static void ReleasedBuffer(void) {
  static char data[1024];
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  // @CREATED_2
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 1, &gate, NULL));
#ifndef DEFECT_released_buffer
  clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 0, NULL, NULL);
#endif
#ifndef DEFECT_released_buffer
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  // @RELEASED_2
  OK(clReleaseMemObject(buffer));
#ifdef DEFECT_released_buffer
  // @HERE
  clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 0, NULL, NULL);
#endif
#ifdef DEFECT_released_buffer
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  OK(clFinish(queue));
  RELEASE(gate);
}

int main(void) {
  Open(0);
  FromFreed();
  ReleasedBuffer();
  Close();
}
