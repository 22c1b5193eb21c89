// Defect: The program creates an image in a format that does not exist. (The driver returns a code
// with another meaning.)
// Fix: The format is one that every device has.
// EXPECT warning call-failed clCreateImage CL_INVALID_OPERATION at HERE
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  const cl_image_format format = {CL_RGBA, CL_UNORM_SHORT_565};
#else
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
#endif
  const cl_image_desc shape = Image2D(16, 16);
  // @HERE
  cl_mem image = clCreateImage(context, 0, &format, &shape, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(image));
  Close();
}
