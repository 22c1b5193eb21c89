// Defect: Images of floats are created and filled with data whose channels are smaller.
// Fix: The data has one float a channel.
#include "common/opencl.h"

// Defect: A float image is created with the data of a byte image to copy.
// Fix: A byte image is created with the data of a byte image to copy.
// EXPECT error format-size-mismatch clCreateImage at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT texel_bytes=16
// EXPECT-FACT block_bytes=4096
// EXPECT-FACT needed_bytes=16384
// EXPECT-FACT fits~CL_UNSIGNED_INT8
static void BytesAtCreation(void) {
  // @BLOCK
  unsigned char* texels = malloc(32 * 32 * 4);
  memset(texels, 0, 32 * 32 * 4);
  const cl_image_desc shape = Image2D(32, 32);
#ifdef DEFECT
  const cl_image_format* format = &kRgbaFloat;
#else
  const cl_image_format* format = &kRgba8;
#endif
  // @HERE
  cl_mem image = MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, format, &shape, texels, &error));
  OK(clReleaseMemObject(image));
  free(texels);
}

// Defect: Two bytes a channel are written to a volume of one float a channel.
// Fix: One float a channel is written to a volume of one float a channel.
// EXPECT error format-size-mismatch clEnqueueWriteImage at HERE_2
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT texel_bytes=4
// EXPECT-FACT block_bytes=8192
// EXPECT-FACT needed_bytes=16384
static void ShortsForFloatVolume(void) {
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
  // @HERE_2
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
  OK(clReleaseMemObject(image));
  free(texels);
}

int main(void) {
  Open(0);
  BytesAtCreation();
  ShortsForFloatVolume();
  Close();
}
