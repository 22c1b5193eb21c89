// Defect: A volume is read from its second slice, with the depth of the whole.
// Fix: A volume is read from its second slice to its last.
// EXPECT error image-region-out-of-bounds clEnqueueReadImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT axis=z
// EXPECT-FACT origin=1
// EXPECT-FACT region=4
// EXPECT-FACT extent=4
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[4 * 8 * 8 * 4];
  const cl_image_desc shape = Image3D(8, 8, 4);
  // @CREATED
  cl_mem image =
      MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
  const size_t origin[3] = {0, 0, 1};
#ifdef DEFECT
  const size_t region[3] = {8, 8, 4};
#else
  const size_t region[3] = {8, 8, 3};
#endif
  // @HERE
  clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL);
  CLOSE(image);
}
