// A program makes an image from a buffer where the driver can do so, and goes on without it where
// the driver cannot: PoCL 3.1 makes none from buffers with guard zones.
// OPTION --guard=256
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 64 * 4, NULL, &error));
  cl_image_desc shape = Image1D(64);
  shape.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  shape.buffer = buffer;
  cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &kRgba8, &shape, NULL, &error);
  if (image != NULL) OK(clReleaseMemObject(image));
  CLOSE(buffer);
}
