// Defect: The host block of a write that does not block is freed, or moved by realloc, while the
// write is pending. Blocks have several sizes and alignments.
// Fix: The host waits for the write first.
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

int main(void) {
  Open(0);
  PendingWrite();
  SmallBlock();
  SmallAlignedBlock();
  SmallBlockResized();
  Close();
}
