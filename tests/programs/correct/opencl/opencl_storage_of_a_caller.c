// The storage of a buffer is a local array of a function that still runs, or of one that has waited
// for the commands and released the buffer.
#include "common/opencl.h"

__attribute__((noinline)) static cl_int SumOf(cl_mem to, int first) {
  cl_int table[1024], result[1024];
  for (int i = 0; i < 1024; ++i) table[i] = first + i;
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(table), table, &error));
  OK(clEnqueueCopyBuffer(queue, buffer, to, 0, 0, sizeof(table), 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  return result[0] + result[1023];
}

__attribute__((noinline)) static void Enqueue(cl_mem from, cl_mem to) {
  volatile char used[8192];
  used[0] = 1;
  OK(clEnqueueCopyBuffer(queue, from, to, 0, 0, 4096, 0, NULL, NULL));
  used[8191] = used[0];
}

int main(void) {
  Open(0);
  cl_mem copy = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  if (SumOf(copy, 1) != 1025) abort();
  cl_int own[1024] = {7};
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(own), own, &error));
  Enqueue(buffer, copy);
  OK(clFinish(queue));
  Enqueue(copy, buffer);
  if (SumOf(copy, 2) != 1027) abort();
  OK(clFinish(queue));
  CLOSE(buffer, copy);
}
