// Defect: Layers are counted from one: the last layer does not exist.
// Fix: Layers are counted from zero.
// EXPECT error image-region-out-of-bounds clEnqueueReadImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT axis=layer
// EXPECT-FACT origin=4
// EXPECT-FACT region=1
// EXPECT-FACT extent=4
// EXPECT-TEXT begin below 4 in layer
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[4 * 8 * 8 * 4];
  const cl_image_desc shape = Image2DArray(8, 8, 4);
  // @CREATED
  cl_mem image =
      MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
#ifdef DEFECT
  const size_t origin[3] = {0, 0, 4};
#else
  const size_t origin[3] = {0, 0, 3};
#endif
  const size_t region[3] = {8, 8, 1};
  // @HERE
  clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL);
  CLOSE(image);
}
