// Defect: Writes of images of one and two dimensions reach past the last column.
// Fix: The writes end with the last column.
#include "common/opencl.h"

// Defect: The region of a write is one column wider than the image.
// Fix: The region of a write is as wide as the image.
// EXPECT error image-region-out-of-bounds clEnqueueWriteImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT axis=x
// EXPECT-FACT origin=0
// EXPECT-FACT region=17
// EXPECT-FACT extent=16
static void OneColumnTooWide(void) {
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
  RELEASE(image);
}

// Defect: A one-dimensional image is written from its middle on with its full width.
// Fix: A one-dimensional image is written from its middle to its end.
// EXPECT error image-region-out-of-bounds clEnqueueWriteImage at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT axis=x
// EXPECT-FACT origin=32
// EXPECT-FACT region=64
// EXPECT-FACT extent=64
static void Line(void) {
  static unsigned char texels[64 * 4];
  const cl_image_desc shape = Image1D(64);
  // @CREATED_2
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t origin[3] = {32, 0, 0};
#ifdef DEFECT
  const size_t region[3] = {64, 1, 1};
#else
  const size_t region[3] = {32, 1, 1};
#endif
  // @HERE_2
  clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL);
  RELEASE(image);
}

int main(void) {
  Open(0);
  OneColumnTooWide();
  Line();
  Close();
}
