// Defect: A program creates an image of a format that the device does not support.
// Fix: The program uses a format that every device supports.
// EXPECT warning call-failed clCreateImage at HERE
// EXPECT-TEXT no device of context supports CL_RGB/CL_FLOAT
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_image_format format = kRgba8;
#ifdef DEFECT
  format.image_channel_order = CL_RGB;
  format.image_channel_data_type = CL_FLOAT;
#endif
  cl_image_desc shape = Image2D(16, 16);
  // @HERE
  cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &shape, NULL, &error);
  if (image != NULL) OK(clReleaseMemObject(image));
  Close();
}
