// Defect: An image is mapped for reading that nothing has written.
// Fix: An image is mapped for reading after a fill.
// EXPECT warning uninitialized-read clEnqueueMapImage at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_image_desc shape = Image2D(16, 16);
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 16, 1};
#ifndef DEFECT
  const cl_uint4 color = {{1, 2, 3, 4}};
  OK(clEnqueueFillImage(queue, image, &color, kOrigin, region, 0, NULL, NULL));
#endif
  size_t pitch;
  // @HERE
  void* mapped = MADE(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, kOrigin, region, &pitch,
                                        NULL, 0, NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, image, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(image);
}
