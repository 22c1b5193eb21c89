// Defect: One byte a channel is written to an image of one float a channel.
// Fix: One float a channel is written to an image of one float a channel.
// EXPECT error format-size-mismatch clEnqueueWriteImage at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT texel_bytes=16
// EXPECT-FACT block_bytes=4096
// EXPECT-FACT needed_bytes=16384
// EXPECT-FACT fits~CL_UNSIGNED_INT8
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  // @BLOCK
  unsigned char* texels = malloc(32 * 32 * 4);
  memset(texels, 0, 32 * 32 * 4);
#else
  float* texels = malloc(32 * 32 * 4 * sizeof(float));
  memset(texels, 0, 32 * 32 * 4 * sizeof(float));
#endif
  const cl_image_desc shape = Image2D(32, 32);
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error));
  const size_t region[3] = {32, 32, 1};
  // @HERE
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
  OK(clReleaseMemObject(image));
  free(texels);
  Close();
}
