// Defect: A sub-buffer is released while a region of it is mapped, after the release of its buffer.
// Fix: The region is unmapped through the sub-buffer, which keeps the memory of the released
// buffer.
// EXPECT error free-in-flight clReleaseMemObject at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY map at MAPPED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static const cl_int seven = 7;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  const cl_buffer_region second_half = {4096, 4096};
  // @CREATED
  cl_mem half =
      MADE(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &second_half, &error));
  OK(clEnqueueFillBuffer(queue, half, &seven, sizeof(seven), 0, 4096, 0, NULL, NULL));
  // @MAPPED
  const cl_int* mapped =
      MADE(clEnqueueMapBuffer(queue, half, CL_TRUE, CL_MAP_READ, 0, 4096, 0, NULL, NULL, &error));
  OK(clReleaseMemObject(buffer));
  if (mapped[0] != 7) return 1;
#ifndef DEFECT
  OK(clEnqueueUnmapMemObject(queue, half, (void*)mapped, 0, NULL, NULL));
#endif
  // @HERE
  OK(clReleaseMemObject(half));
  OK(clFinish(queue));
  Close();
}
