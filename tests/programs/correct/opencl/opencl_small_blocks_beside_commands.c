// Small blocks beside those of pending commands are freed, and those of complete commands too.
#include "common/opencl.h"

enum { kBlocks = 64, kBytes = 64 };

static void CL_CALLBACK Free(cl_event event, cl_int status, void* block) {
  (void)event;
  (void)status;
  free(block);
}

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  char* blocks[kBlocks];
  for (int i = 0; i < kBlocks; ++i) blocks[i] = calloc(1, kBytes);
  cl_event gate = MADE(clCreateUserEvent(context, &error)), written;
  OK(clEnqueueBarrierWithWaitList(queue, 1, &gate, NULL));
  for (int i = 0; i < kBlocks; i += 2)
    OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, blocks[i], 0, NULL, NULL));
  for (int i = 1; i < kBlocks; i += 2) free(blocks[i]);
  char* last = calloc(1, kBytes);
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, last, 0, NULL, &written));
  OK(clSetEventCallback(written, CL_COMPLETE, Free, last));
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));
  for (int i = 0; i < kBlocks; i += 2) free(blocks[i]);
  // The same addresses again, by blocking commands.
  for (int i = 0; i < kBlocks; ++i) {
    char* block = calloc(1, kBytes);
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kBytes, block, 0, NULL, NULL));
    free(block);
  }
  CLOSE(written, gate, buffer);
}
