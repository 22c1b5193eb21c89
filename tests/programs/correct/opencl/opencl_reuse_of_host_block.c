// One host block serves one in-order queue for write after read after write; only the last needs a
// wait.
#include "common/opencl.h"

int main(void) {
  Open(0);
  char* block = calloc(1, 4096);
  cl_mem one = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096, block, &error));
  cl_mem two = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clEnqueueReadBuffer(queue, one, CL_FALSE, 0, 4096, block, 0, NULL, NULL));
  OK(clEnqueueWriteBuffer(queue, two, CL_FALSE, 0, 4096, block, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, two, CL_FALSE, 0, 4096, block, 0, NULL, NULL));
  OK(clFinish(queue));
  free(block);
  CLOSE(two, one);
}
