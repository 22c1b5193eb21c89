// A buffer in the program's memory: filled through a mapping, used by a kernel, mapped, and freed
// after its release.
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { bytes = 4096 };
  int* data = aligned_alloc(4096, bytes);
  memset(data, 0, bytes);
  cl_kernel kernel =
      NewKernel("kernel void add(global int* data) { data[get_global_id(0)] += 1; }", "add");
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, data, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
  const size_t items = bytes / sizeof(int);
  for (int i = 0; i < 3; ++i) {
    int* mapped = MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                          bytes, 0, NULL, NULL, &error));
    if (mapped != data) abort();
    mapped[0] += 10;
    OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  }
  int* mapped = MADE(
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, bytes, 0, NULL, NULL, &error));
  printf("%d %d\n", mapped[0], mapped[1]);
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(buffer));
  free(data);
  CLOSE(kernel);
}
