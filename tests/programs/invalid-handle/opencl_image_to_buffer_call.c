// Defect: An image is passed to a call that fills buffers.
// Fix: The image is passed to a call that fills images.
// EXPECT error invalid-handle clEnqueueFillBuffer at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_uint4 color = {{1, 2, 3, 4}};
  const cl_image_desc shape = Image2D(16, 16);
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 16, 1};
#ifdef DEFECT
  // @HERE
  clEnqueueFillBuffer(queue, image, &color, 4, 0, 16 * region[0], 0, NULL, NULL);
#else
  OK(clEnqueueFillImage(queue, image, &color, kOrigin, region, 0, NULL, NULL));
#endif
  OK(clFinish(queue));
  CLOSE(image);
}
