// Defect: The row pitch of the host data is in texels where the call wants bytes.
// Fix: The row pitch of the host data is in bytes.
// EXPECT error pitch-invalid clEnqueueWriteImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT row_pitch=16
// EXPECT-FACT row_bytes=64
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 16, 1};
#ifdef DEFECT
  const size_t pitch = 16;
#else
  const size_t pitch = 16 * 4;
#endif
  // @HERE
  clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, pitch, 0, texels, 0, NULL, NULL);
  CLOSE(image);
}
