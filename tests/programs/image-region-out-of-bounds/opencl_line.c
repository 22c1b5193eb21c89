// Defect: A one-dimensional image is written from its middle on with its full width.
// Fix: A one-dimensional image is written from its middle to its end.
// EXPECT error image-region-out-of-bounds clEnqueueWriteImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT axis=x
// EXPECT-FACT origin=32
// EXPECT-FACT region=64
// EXPECT-FACT extent=64
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[64 * 4];
  const cl_image_desc shape = Image1D(64);
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t origin[3] = {32, 0, 0};
#ifdef DEFECT
  const size_t region[3] = {64, 1, 1};
#else
  const size_t region[3] = {32, 1, 1};
#endif
  // @HERE
  clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL);
  CLOSE(image);
}
