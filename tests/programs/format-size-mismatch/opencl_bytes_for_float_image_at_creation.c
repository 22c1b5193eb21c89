// Defect: A float image is created with the data of a byte image to copy.
// Fix: A byte image is created with the data of a byte image to copy.
// EXPECT error format-size-mismatch clCreateImage at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT texel_bytes=16
// EXPECT-FACT block_bytes=4096
// EXPECT-FACT needed_bytes=16384
// EXPECT-FACT fits~CL_UNSIGNED_INT8
#include "common/opencl.h"

int main(void) {
  Open(0);
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
  Close();
}
