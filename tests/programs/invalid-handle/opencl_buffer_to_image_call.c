// Defect: A buffer is passed to a call that writes images.
// Fix: An image is passed to the call.
// EXPECT error invalid-handle clEnqueueWriteImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  // @CREATED
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  const size_t region[3] = {16, 16, 1};
#ifdef DEFECT
  // @HERE
  clEnqueueWriteImage(queue, buffer, CL_TRUE, kOrigin, region, 0, 0, data, 0, NULL, NULL);
#else
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, data, 0, NULL, NULL));
#endif
  CLOSE(buffer, image);
}
