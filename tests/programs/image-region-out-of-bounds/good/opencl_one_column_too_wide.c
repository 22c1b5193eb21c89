// The region of a write is as wide as the image.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[17 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 16, 1};
  clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL);
  OK(clReleaseMemObject(image));
  Close();
}
