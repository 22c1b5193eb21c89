// Defect: A program tries sizes of an image downwards until the driver accepts one. That is legal,
// so the failures are a note.
// Fix: The program asks for the limit of the device.
// EXPECT note out-of-memory clCreateImage at HERE
#include "common/opencl.h"

int main(void) {
  Open(0);
  size_t width = 0;
  OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof(width), &width, NULL));
#ifdef DEFECT
  width *= 2;
#endif
  cl_mem image = NULL;
  for (; image == NULL && width != 0; width /= 2) {
    cl_image_desc shape = Image2D(width, 16);
    // @HERE
    image = clCreateImage(context, CL_MEM_READ_WRITE, &kRgba8, &shape, NULL, &error);
  }
  CLOSE(image);
}
