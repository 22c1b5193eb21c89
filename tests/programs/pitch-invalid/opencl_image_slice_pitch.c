// Defect: The slice pitch of the host data is smaller than a slice.
// Fix: The slice pitch of the host data is that of a slice.
// EXPECT error pitch-invalid clEnqueueWriteImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT slice_pitch=64
// EXPECT-FACT row_bytes=64
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[4 * 16 * 16 * 4];
  const cl_image_desc shape = Image3D(16, 16, 4);
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 16, 4};
#ifdef DEFECT
  const size_t slice = 64;
#else
  const size_t slice = 64 * 16;
#endif
  // @HERE
  clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 64, slice, texels, 0, NULL, NULL);
  CLOSE(image);
}
