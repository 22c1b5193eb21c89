// Layers are counted from zero.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[4 * 8 * 8 * 4];
  const cl_image_desc shape = Image2DArray(8, 8, 4);
  cl_mem image =
      MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
  const size_t origin[3] = {0, 0, 3};
  const size_t region[3] = {8, 8, 1};
  clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL);
  OK(clReleaseMemObject(image));
  Close();
}
