// Defect: An element of a region is 0 where the image has no such dimension.
// Fix: Elements that the image does not have are 1.
// EXPECT warning call-failed clEnqueueWriteImage at HERE
// EXPECT-TEXT region.2. is 0; pass 1 for each dimension
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[16 * 8 * 4];
  cl_image_desc shape = Image2D(16, 8);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  size_t region[3] = {16, 8, 1};
#ifdef DEFECT
  region[2] = 0;
#endif
  // @HERE
  clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, data, 0, NULL, NULL);
  CLOSE(image);
}
