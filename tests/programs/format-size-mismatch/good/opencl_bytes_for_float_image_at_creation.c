// A byte image is created with the data of a byte image to copy.
#include "common/opencl.h"

int main(void) {
  Open(0);
  unsigned char* texels = malloc(32 * 32 * 4);
  memset(texels, 0, 32 * 32 * 4);
  const cl_image_desc shape = Image2D(32, 32);
  const cl_image_format* format = &kRgba8;
  cl_mem image = MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, format, &shape, texels, &error));
  OK(clReleaseMemObject(image));
  free(texels);
  Close();
}
