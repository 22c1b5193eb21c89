// Defect: An upload counts elements instead of bytes, and all bytes are mapped for reading.
// Fix: The upload covers all bytes.
// EXPECT warning uninitialized-read clEnqueueMapBuffer at HERE
// EXPECT-FACT written_bytes=512
#include "common/opencl.h"

int main(void) {
  Open(0);
  const size_t count = 512;
  double* values = calloc(count, sizeof(double));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, count * sizeof(double), NULL, &error));
#ifdef DEFECT
  const size_t size = count;
#else
  const size_t size = count * sizeof(double);
#endif
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, values, 0, NULL, NULL));
  // @HERE
  void* mapped = MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0,
                                         count * sizeof(double), 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(buffer));
  free(values);
  Close();
}
