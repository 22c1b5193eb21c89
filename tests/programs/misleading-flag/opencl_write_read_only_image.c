// Defect: The host writes an image that is CL_MEM_READ_ONLY.
// Fix: The image is CL_MEM_READ_WRITE.
#include "common/opencl.h"

// Defect: The host writes an image that is CL_MEM_READ_ONLY. That is legal: the flag is about
// kernels.
// Fix: Kernels may read and write the image.
// EXPECT note misleading-flag clEnqueueWriteImage at HERE
// EXPECT-PARTY allocation at CREATED
static void WriteReadOnlyImage(void) {
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
  RELEASE(image);
}

// Defect: The host writes an image that is CL_MEM_READ_ONLY and was created by the deprecated
// clCreateImage2D.
// Fix: Kernels may write the image, too.
// EXPECT note misleading-flag clEnqueueWriteImage at HERE_2
// EXPECT-PARTY allocation at CREATED_2
static void WriteReadOnlyImage2d(void) {
  static unsigned char texels[16 * 16 * 4];
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
#else
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
#endif
  // @CREATED_2
  cl_mem image = MADE(clCreateImage2D(context, flags, &kRgba8, 16, 16, 0, texels, &error));
  const size_t region[3] = {16, 16, 1};
  // @HERE_2
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
  RELEASE(image);
}

int main(void) {
  Open(0);
  WriteReadOnlyImage();
  WriteReadOnlyImage2d();
  Close();
}
