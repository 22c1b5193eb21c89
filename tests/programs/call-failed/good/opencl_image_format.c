// An image is asked for in a format that every device has.
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem image = clCreateImage(context, 0, &format, &shape, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(image));
  Close();
}
