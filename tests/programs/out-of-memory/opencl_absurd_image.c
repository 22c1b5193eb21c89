// Defect: The program creates an image that is larger than the device allows. Memory that it holds
// is not the reason.
// Fix: The device has room for the image.
// EXPECT warning out-of-memory clCreateImage CL_INVALID_OPERATION at HERE
// EXPECT-TEXT width 1048576 is more than CL_DEVICE_IMAGE2D_MAX_WIDTH
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem held = MADE(clCreateBuffer(context, 0, 1 << 20, NULL, &error));
#ifdef DEFECT
  const cl_image_desc shape = Image2D(1 << 20, 1 << 20);
#else
  const cl_image_desc shape = Image2D(1 << 5, 1 << 5);
#endif
  // @HERE
  cl_mem image = clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(image));
  CLOSE(held);
}
