// Defect: A buffer is copied to an image that has fewer rows.
// Fix: A buffer is copied to an image that has as many rows.
// EXPECT error image-region-out-of-bounds clEnqueueCopyBufferToImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT axis=y
// EXPECT-FACT origin=0
// EXPECT-FACT region=16
// EXPECT-FACT extent=8
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
  cl_mem buffer =
      MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(texels), texels, &error));
#ifdef DEFECT
  const cl_image_desc shape = Image2D(16, 8);
#else
  const cl_image_desc shape = Image2D(16, 16);
#endif
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 16, 1};
  // @HERE
  clEnqueueCopyBufferToImage(queue, buffer, image, 0, kOrigin, region, 0, NULL, NULL);
  OK(clFinish(queue));
  CLOSE(image, buffer);
}
