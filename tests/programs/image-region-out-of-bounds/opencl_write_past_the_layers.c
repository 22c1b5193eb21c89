// Defect: An upload to an array of images has one layer more than the array behind its origin. The
// driver overwrites its own memory, and may end the program.
// Fix: It has the layers behind its origin.
// EXPECT error image-region-out-of-bounds clEnqueueWriteImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT axis=layer
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[4 * 16 * 16 * 4];
  const cl_image_desc shape = Image2DArray(16, 16, 4);
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, CL_MEM_READ_WRITE, &kRgba8, &shape, NULL, &error));
  const size_t origin[3] = {0, 0, 1};
#ifdef DEFECT
  const size_t region[3] = {16, 16, 4};
#else
  const size_t region[3] = {16, 16, 3};
#endif
  // @HERE
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
  CLOSE(image);
}
