// Defect: An image is read that nothing has written.
// Fix: An image is read after it was filled.
// EXPECT warning uninitialized-read clEnqueueReadImage at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 16, 1};
#ifndef DEFECT
  const cl_uint4 color = {{1, 2, 3, 4}};
  OK(clEnqueueFillImage(queue, image, &color, kOrigin, region, 0, NULL, NULL));
#endif
  // @HERE
  OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
  CLOSE(image);
}
