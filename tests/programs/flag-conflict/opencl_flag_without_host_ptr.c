// Defect: CL_MEM_COPY_HOST_PTR without a host pointer.
// Fix: CL_MEM_COPY_HOST_PTR with the texels to copy.
// EXPECT error flag-conflict clCreateImage CL_INVALID_HOST_PTR at HERE
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
#ifdef DEFECT
  unsigned char* source = NULL;
#else
  unsigned char* source = texels;
#endif
  texels[0] = 1;
  const cl_image_desc shape = Image2D(16, 16);
  // @HERE
  cl_mem image = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, source, &error);
  if (error == CL_SUCCESS) OK(clReleaseMemObject(image));
  Close();
}
