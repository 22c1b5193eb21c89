// One float a channel is written to an image of one float a channel.
#include "common/opencl.h"

int main(void) {
  Open(0);
  float* texels = malloc(32 * 32 * 4 * sizeof(float));
  memset(texels, 0, 32 * 32 * 4 * sizeof(float));
  const cl_image_desc shape = Image2D(32, 32);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error));
  const size_t region[3] = {32, 32, 1};
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
  OK(clReleaseMemObject(image));
  free(texels);
  Close();
}
