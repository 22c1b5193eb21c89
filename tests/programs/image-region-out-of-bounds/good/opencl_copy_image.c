// Part of an image is copied to the right edge of another.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem from = MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
  cl_mem to = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t corner[3] = {8, 0, 0};
  const size_t region[3] = {8, 16, 1};
  clEnqueueCopyImage(queue, from, to, kOrigin, corner, region, 0, NULL, NULL);
  OK(clFinish(queue));
  OK(clReleaseMemObject(to));
  OK(clReleaseMemObject(from));
  Close();
}
