// Map cycles: for writing, then two mappings for reading that overlap, unmapped in another order.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, 4096, NULL, &error));
  for (int cycle = 0; cycle < 3; ++cycle) {
    char* all = MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0,
                                        4096, 0, NULL, NULL, &error));
    memset(all, 'a' + cycle, 4096);
    OK(clEnqueueUnmapMemObject(queue, buffer, all, 0, NULL, NULL));
    const char* low = MADE(
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 3072, 0, NULL, NULL, &error));
    const char* high = MADE(
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 1024, 3072, 0, NULL, NULL, &error));
    printf("%c %c\n", low[3071], high[3071]);
    OK(clEnqueueUnmapMemObject(queue, buffer, (void*)low, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(queue, buffer, (void*)high, 0, NULL, NULL));
  }
  OK(clFinish(queue));
  CLOSE(buffer);
}
