// An image is created in a format that exists.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem image = clCreateImage(context, 0, &format, &shape, NULL, &error);
  const size_t region[3] = {16, 16, 1};
  clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL);
  if (image) OK(clReleaseMemObject(image));
  Close();
}
