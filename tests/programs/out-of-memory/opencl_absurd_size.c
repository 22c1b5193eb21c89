// Defect: Buffers and images are larger than any device allows, or their size is found by trial.
// Fix: The sizes are those that the device allows.
#include "common/opencl.h"

// Defect: The program creates a buffer that is larger than the device's memory.
// Fix: The device has room for the buffer.
// EXPECT warning out-of-memory clCreateBuffer CL_INVALID_BUFFER_SIZE at HERE
// EXPECT-TEXT size 1099511627776 is more than CL_DEVICE_MAX_MEM_ALLOC_SIZE, \d+; no amount
// EXPECT-FACT requested_bytes=1099511627776
static void AbsurdBuffer(void) {
#ifdef DEFECT
  const size_t bytes = (size_t)1 << 40;
#else
  const size_t bytes = (size_t)1 << 10;
#endif
  // @HERE
  cl_mem buffer = clCreateBuffer(context, 0, bytes, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(buffer));
}

// Defect: The program creates an image that is larger than the device allows. Memory that it holds
// is not the reason.
// Fix: The device has room for the image.
// EXPECT warning out-of-memory clCreateImage CL_INVALID_OPERATION at HERE_2
// EXPECT-TEXT width 1048576 is more than CL_DEVICE_IMAGE2D_MAX_WIDTH
static void AbsurdImage(void) {
  cl_mem held = MADE(clCreateBuffer(context, 0, 1 << 20, NULL, &error));
#ifdef DEFECT
  const cl_image_desc shape = Image2D(1 << 20, 1 << 20);
#else
  const cl_image_desc shape = Image2D(1 << 5, 1 << 5);
#endif
  // @HERE_2
  cl_mem image = clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(image));
  RELEASE(held);
}

// Defect: A program tries sizes of an image downwards until the driver accepts one. That is legal,
// so the failures are a note.
// Fix: The program asks for the limit of the device.
// EXPECT note out-of-memory clCreateImage at HERE_3
static void ProbeOfSizes(void) {
  size_t width = 0;
  OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof(width), &width, NULL));
#ifdef DEFECT
  width *= 2;
#endif
  cl_mem image = NULL;
  for (; image == NULL && width != 0; width /= 2) {
    cl_image_desc shape = Image2D(width, 16);
    // @HERE_3
    image = clCreateImage(context, CL_MEM_READ_WRITE, &kRgba8, &shape, NULL, &error);
  }
  RELEASE(image);
}

int main(void) {
  Open(0);
  AbsurdBuffer();
  AbsurdImage();
  ProbeOfSizes();
  Close();
}
