// The host block of a buffer is freed by the buffer's destructor callback, whenever that comes.
#include "common/opencl.h"

static void CL_CALLBACK FreeBlock(cl_mem buffer, void* block) {
  (void)buffer;
  free(block);
}

int main(void) {
  Open(0);
  char* data = aligned_alloc(4096, 8192);
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, data, &error));
  OK(clSetMemObjectDestructorCallback(buffer, FreeBlock, data));
  const cl_int zero = 0;
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, 8192, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  OK(clFinish(queue));
  Close();
}
