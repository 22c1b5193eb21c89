// Defect: The creation of an image fails. The program ignores the error and writes the image.
// Fix: The format of the image exists.
// EXPECT warning call-failed clCreateImage CL_INVALID_OPERATION at FAILED
// EXPECT error error-ignored clEnqueueWriteImage at HERE
// EXPECT-PARTY failed-call at FAILED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
#ifdef DEFECT
  const cl_image_format format = {CL_RGBA, CL_UNORM_SHORT_565};
#else
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
#endif
  const cl_image_desc shape = Image2D(16, 16);
  // @FAILED
  cl_mem image = clCreateImage(context, 0, &format, &shape, NULL, &error);
  const size_t region[3] = {16, 16, 1};
  // @HERE
  clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL);
  if (image) OK(clReleaseMemObject(image));
  Close();
}
