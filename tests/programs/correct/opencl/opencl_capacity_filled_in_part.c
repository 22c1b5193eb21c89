// Buffers are filled to a quarter or an eighth from host blocks of the same capacity, and are read
// or mapped as a whole.
#include "common/opencl.h"

int main(void) {
  Open(0);
  const size_t capacity = 512 * sizeof(double);
  char* values = calloc(1, capacity);
  for (size_t i = 0; i < capacity; ++i) values[i] = (char)i;
  for (size_t parts = 2; parts <= 16; parts *= 2) {
    cl_mem buffer = MADE(clCreateBuffer(context, 0, capacity, NULL, &error));
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, capacity / parts, values, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, capacity, values, 0, NULL, NULL));
    void* mapped = MADE(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, capacity, 0,
                                           NULL, NULL, &error));
    OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseMemObject(buffer));
  }
  free(values);
  Close();
}
