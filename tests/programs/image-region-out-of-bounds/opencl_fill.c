// Defect: A fill swaps the width and the height of an image.
// Fix: The fill covers the image.
// EXPECT error image-region-out-of-bounds clEnqueueFillImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT axis=x
// EXPECT-FACT origin=0
// EXPECT-FACT region=32
// EXPECT-FACT extent=16
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_uint4 color = {{1, 2, 3, 4}};
  const cl_image_desc shape = Image2D(16, 32);
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
#ifdef DEFECT
  const size_t region[3] = {32, 16, 1};
#else
  const size_t region[3] = {16, 32, 1};
#endif
  // @HERE
  clEnqueueFillImage(queue, image, &color, kOrigin, region, 0, NULL, NULL);
  OK(clFinish(queue));
  CLOSE(image);
}
