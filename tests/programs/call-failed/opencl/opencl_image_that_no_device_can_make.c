// Defect: Images have formats that no device supports, and more texels than their buffer.
// Fix: The device supports the formats, and the buffer has the texels.
#include "common/opencl.h"

// Defect: A program creates an image of a format that the device does not support.
// Fix: The program uses a format that every device supports.
// EXPECT warning call-failed clCreateImage at HERE
// EXPECT-TEXT no device of context supports CL_RGB/CL_FLOAT
static void FormatOfNoDevice(void) {
  cl_image_format format = kRgba8;
#ifdef DEFECT
  format.image_channel_order = CL_RGB;
  format.image_channel_data_type = CL_FLOAT;
#endif
  cl_image_desc shape = Image2D(16, 16);
  // @HERE
  cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &shape, NULL, &error);
  if (image != NULL) OK(clReleaseMemObject(image));
}

// Defect: The program creates an image in a format that does not exist. (The driver returns a code
// with another meaning.)
// Fix: The format is one that every device has.
// EXPECT warning call-failed clCreateImage CL_INVALID_OPERATION at HERE_2
static void ImageFormat(void) {
#ifdef DEFECT
  const cl_image_format format = {CL_RGBA, CL_UNORM_SHORT_565};
#else
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
#endif
  const cl_image_desc shape = Image2D(16, 16);
  // @HERE_2
  cl_mem image = clCreateImage(context, 0, &format, &shape, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(image));
}

// Defect: An image is created from a buffer that holds a quarter of its texels.
// Fix: The image is as wide as the buffer has texels.
// EXPECT warning call-failed clCreateImage at HERE_3
// EXPECT-TEXT describes an image of 16384 B, but its buffer has 4096 B
static void ImageLargerThanItsBuffer(void) {
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 256, .buffer = buffer};
#ifdef DEFECT
  desc.image_width = 1024;
#endif
  // @HERE_3
  cl_mem image = clCreateImage(context, 0, &format, &desc, NULL, &error);
  if (image != NULL) OK(clReleaseMemObject(image));
  RELEASE(buffer);
}

int main(void) {
  Open(0);
  FormatOfNoDevice();
  ImageFormat();
  ImageLargerThanItsBuffer();
  Close();
}
