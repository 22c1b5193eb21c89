// An image is asked for that the device has room for.
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem held = MADE(clCreateBuffer(context, 0, 1 << 20, NULL, &error));
  const cl_image_desc shape = Image2D(1 << 5, 1 << 5);
  cl_mem image = clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(image));
  OK(clReleaseMemObject(held));
  Close();
}
