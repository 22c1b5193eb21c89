// Defect: An image that nothing has written is copied to a buffer.
// Fix: An image is written and copied to a buffer.
// EXPECT warning uninitialized-read clEnqueueCopyImageToBuffer at HERE
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(texels), NULL, &error));
  const size_t region[3] = {16, 16, 1};
#ifndef DEFECT
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
#endif
  // @HERE
  OK(clEnqueueCopyImageToBuffer(queue, image, buffer, kOrigin, region, 0, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(texels), texels, 0, NULL, NULL));
  CLOSE(buffer, image);
}
