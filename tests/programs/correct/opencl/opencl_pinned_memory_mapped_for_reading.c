// Pinned memory is mapped for reading once, before anything has written it: it is the target of
// downloads. Drivers' guides recommend that.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[4096];
  cl_mem result = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error));
  cl_mem pinned = MADE(clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, sizeof(data), NULL, &error));
  char* mapped = MADE(clEnqueueMapBuffer(queue, pinned, CL_TRUE, CL_MAP_READ, 0, sizeof(data), 0,
                                         NULL, NULL, &error));
  OK(clEnqueueReadBuffer(queue, result, CL_TRUE, 0, sizeof(data), mapped, 0, NULL, NULL));
  OK(clEnqueueUnmapMemObject(queue, pinned, mapped, 0, NULL, NULL));
  OK(clEnqueueCopyBuffer(queue, pinned, result, 0, 0, sizeof(data), 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(pinned, result);
}
