// Defect: An image is created from a buffer that holds a quarter of its texels.
// Fix: The image is as wide as the buffer has texels.
// EXPECT warning call-failed clCreateImage at HERE
// EXPECT-TEXT describes an image of 16384 B, but its buffer has 4096 B
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 256, .buffer = buffer};
#ifdef DEFECT
  desc.image_width = 1024;
#endif
  // @HERE
  cl_mem image = clCreateImage(context, 0, &format, &desc, NULL, &error);
  if (image != NULL) OK(clReleaseMemObject(image));
  CLOSE(buffer);
}
