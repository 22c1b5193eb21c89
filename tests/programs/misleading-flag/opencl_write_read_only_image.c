// Defect: The host writes an image that is CL_MEM_READ_ONLY. That is legal: the flag is about
// kernels.
// Fix: Kernels may read and write the image.
// EXPECT note misleading-flag clEnqueueWriteImage at HERE
// EXPECT-PARTY allocation at CREATED
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
#else
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
#endif
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, flags, &kRgba8, &shape, texels, &error));
  const size_t region[3] = {16, 16, 1};
  // @HERE
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
  CLOSE(image);
}
