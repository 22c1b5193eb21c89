// One float a channel is written to a volume of one float a channel.
#include "common/opencl.h"

int main(void) {
  Open(0);
  float* texels = calloc(16 * 16 * 16, sizeof(float));
  const cl_image_format format = {CL_R, CL_FLOAT};
  const cl_image_desc shape = Image3D(16, 16, 16);
  cl_mem image = MADE(clCreateImage(context, 0, &format, &shape, NULL, &error));
  const size_t region[3] = {16, 16, 16};
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
  OK(clReleaseMemObject(image));
  free(texels);
  Close();
}
