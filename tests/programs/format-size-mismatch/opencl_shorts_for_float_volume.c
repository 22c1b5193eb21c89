// Defect: Two bytes a channel are written to a volume of one float a channel.
// Fix: One float a channel is written to a volume of one float a channel.
// EXPECT error format-size-mismatch clEnqueueWriteImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT texel_bytes=4
// EXPECT-FACT block_bytes=8192
// EXPECT-FACT needed_bytes=16384
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  short* texels = calloc(16 * 16 * 16, sizeof(short));
#else
  float* texels = calloc(16 * 16 * 16, sizeof(float));
#endif
  const cl_image_format format = {CL_R, CL_FLOAT};
  const cl_image_desc shape = Image3D(16, 16, 16);
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, 0, &format, &shape, NULL, &error));
  const size_t region[3] = {16, 16, 16};
  // @HERE
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
  OK(clReleaseMemObject(image));
  free(texels);
  Close();
}
