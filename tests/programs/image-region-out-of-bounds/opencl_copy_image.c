// Defect: Part of an image is copied to a place where it does not fit.
// Fix: Part of an image is copied to the right edge of another.
// EXPECT error image-region-out-of-bounds clEnqueueCopyImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT axis=x
// EXPECT-FACT origin=9
// EXPECT-FACT region=8
// EXPECT-FACT extent=16
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem from = MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
  // @CREATED
  cl_mem to = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
#ifdef DEFECT
  const size_t corner[3] = {9, 0, 0};
#else
  const size_t corner[3] = {8, 0, 0};
#endif
  const size_t region[3] = {8, 16, 1};
  // @HERE
  clEnqueueCopyImage(queue, from, to, kOrigin, corner, region, 0, NULL, NULL);
  OK(clFinish(queue));
  CLOSE(to, from);
}
