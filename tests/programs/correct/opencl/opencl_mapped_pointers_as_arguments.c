// Commands use mapped pointers: behind the map in the same queue, between two maps of a region, and of memory that the
// program allocated itself, also after the unmap.
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_int one = 1;
  cl_mem from = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  cl_mem to = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  OK(clEnqueueFillBuffer(queue, from, &one, sizeof(one), 0, 8192, 0, NULL, NULL));
  OK(clEnqueueFillBuffer(queue, to, &one, sizeof(one), 0, 8192, 0, NULL, NULL));

  for (int i = 0; i < 3; ++i) {
    char* data = MADE(clEnqueueMapBuffer(queue, from, CL_FALSE, CL_MAP_READ, 0, 8192, 0, NULL, NULL, &error));
    OK(clEnqueueWriteBuffer(queue, to, CL_FALSE, 0, 8192, data, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(queue, from, data, 0, NULL, NULL));
  }
  OK(clFinish(queue));

  // Overlapping regions may be mapped for reading.
  char* first = MADE(clEnqueueMapBuffer(queue, from, CL_TRUE, CL_MAP_READ, 0, 8192, 0, NULL, NULL, &error));
  char* second = MADE(clEnqueueMapBuffer(queue, from, CL_TRUE, CL_MAP_READ, 4096, 4096, 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, from, first, 0, NULL, NULL));
  OK(clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, 2048, second, 0, NULL, NULL));
  OK(clEnqueueUnmapMemObject(queue, from, second, 0, NULL, NULL));
  OK(clFinish(queue));

  char* own = aligned_alloc(4096, 8192);
  memset(own, 1, 8192);
  cl_mem over = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8192, own, &error));
  void* mapped = MADE(clEnqueueMapBuffer(queue, over, CL_TRUE, CL_MAP_READ, 0, 8192, 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, over, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(over));
  OK(clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, 8192, own, 0, NULL, NULL));
  free(own);

  // After the release, the driver's memory may come back as a block of the program.
  OK(clReleaseMemObject(from));
  for (size_t bytes = 16; bytes <= 16384; bytes *= 2) {
    char* block = calloc(1, bytes);
    OK(clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, bytes < 8192 ? bytes : 8192, block, 0, NULL, NULL));
    free(block);
  }
  CLOSE(to);
}
