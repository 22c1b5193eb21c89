// A one-dimensional image made from a buffer sees what is written to the buffer, and outlives its
// handle.
#include "common/opencl.h"

int main(void) {
  Open(0);
  unsigned char data[64 * 4], result[64 * 4];
  memset(data, 5, sizeof(data));
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(data), NULL, &error));
  cl_image_desc shape = Image1D(64);
  shape.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  shape.buffer = buffer;
  cl_mem image = MADE(clCreateImage(context, CL_MEM_READ_WRITE, &kRgba8, &shape, NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  OK(clReleaseMemObject(buffer));
  const size_t region[3] = {64, 1, 1};
  OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, result, 0, NULL, NULL));
  printf("%d\n", result[255]);
  CLOSE(image);
}
