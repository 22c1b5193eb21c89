// Defect: Host memory is freed or moved while a command or a buffer uses it.
// Fix: The host waits for the command, and releases the buffer first.
#include "common/opencl.h"

// Defect: The host block of a write that does not block is freed while the write is pending.
// Fix: The host block of a write that does not block is freed when the write has ended.
// EXPECT error host-free-in-flight free at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-PARTY pending-command at PENDING
static void PendingWrite(void) {
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  // @BLOCK
  char* data = calloc(1, 8192);
  // @PENDING
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 8192, data, 1, &gate, NULL));
#ifdef DEFECT
  // @HERE
  free(data);
#endif
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#ifndef DEFECT
  free(data);
#endif
  RELEASE(gate, buffer);
}

// Defect: A small host block of a write that does not block is freed while the write is pending.
// Fix: The block is freed when the write has ended.
// EXPECT error host-free-in-flight free at HERE_2
// EXPECT-PARTY pending-command at PENDING_2
static void SmallBlock(void) {
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 64, NULL, &error));
  char* data = calloc(1, 64);
  // @PENDING_2
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 32, data + 16, 1, &gate, NULL));
#ifdef DEFECT
  // @HERE_2
  free(data);
#endif
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#ifndef DEFECT
  free(data);
#endif
  RELEASE(gate, buffer);
}

// Defect: A small block with the alignment of device memory is freed while a write reads it.
// Fix: The host waits for the write first.
// EXPECT error host-free-in-flight free at HERE_3
// EXPECT-PARTY pending-command at WRITE_3
enum { kBytes = 96, kAlignment = 256 };

static void SmallAlignedBlock(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  char* data = aligned_alloc(kAlignment, kAlignment);
  memset(data, 0, kAlignment);
  // @WRITE_3
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, data, 1, &gate, NULL));
#ifdef DEFECT
  // @HERE_3
  free(data);
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#else
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  free(data);
#endif
  RELEASE(gate, buffer);
}

// Defect: realloc moves a small block that a pending write still reads.
// Fix: The host waits for the write first.
// EXPECT error host-free-in-flight free at HERE_4
// EXPECT-PARTY pending-command at WRITE_4
enum { kSmall = 96, kLarge = 5000 };

static void SmallBlockResized(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kSmall, NULL, &error));
  cl_event gate = MADE(clCreateUserEvent(context, &error));
  char* data = calloc(1, kSmall);
  // @WRITE_4
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kSmall, data, 1, &gate, NULL));
#ifndef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  // @HERE_4
  data = realloc(data, kLarge);
#ifdef DEFECT
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
#endif
  data = realloc(data, kSmall);
  free(data);
  RELEASE(gate, buffer);
}

// Defect: The host block that a live buffer uses as its memory is freed.
// Fix: The host block that a buffer uses as its memory is freed after the buffer was released.
// EXPECT warning host-free-in-flight free at HERE_5
// EXPECT-PARTY host-block at BLOCK_2
// EXPECT-PARTY allocation at CREATED
static void UseHostPtr(void) {
  // @BLOCK_2
  char* data = aligned_alloc(4096, 8192);
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, data, &error));
#ifndef DEFECT
  OK(clReleaseMemObject(buffer));
#endif
  // @HERE_5
  free(data);
#ifdef DEFECT
  OK(clReleaseMemObject(buffer));
#endif
}

// Defect: The host block of a buffer is freed before the buffer is released, when no command uses it any more.
// Fix: The block is freed after the release.
// EXPECT warning host-free-in-flight free at HERE_6
// EXPECT-PARTY allocation at CREATED_2
static void FreedBeforeRelease(void) {
  char* data = aligned_alloc(4096, 8192);
  // @CREATED_2
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, data, &error));
  const cl_int one = 1;
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, 8192, 0, NULL, NULL));
  OK(clFinish(queue));
#ifdef DEFECT
  // @HERE_6
  free(data);
#endif
  OK(clReleaseMemObject(buffer));
#ifndef DEFECT
  free(data);
#endif
}

int main(void) {
  Open(0);
  PendingWrite();
  SmallBlock();
  SmallAlignedBlock();
  SmallBlockResized();
  UseHostPtr();
  FreedBeforeRelease();
  Close();
}
