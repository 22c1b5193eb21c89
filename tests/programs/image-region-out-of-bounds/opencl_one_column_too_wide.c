// Defect: The region of a write is one column wider than the image.
// Fix: The region of a write is as wide as the image.
// EXPECT error image-region-out-of-bounds clEnqueueWriteImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT axis=x
// EXPECT-FACT origin=0
// EXPECT-FACT region=17
// EXPECT-FACT extent=16
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[17 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
#ifdef DEFECT
  const size_t region[3] = {17, 16, 1};
#else
  const size_t region[3] = {16, 16, 1};
#endif
  // @HERE
  clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL);
  CLOSE(image);
}
