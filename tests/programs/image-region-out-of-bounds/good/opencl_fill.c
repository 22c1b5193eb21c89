// A fill covers an image.
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_uint4 color = {{1, 2, 3, 4}};
  const cl_image_desc shape = Image2D(16, 32);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 32, 1};
  clEnqueueFillImage(queue, image, &color, kOrigin, region, 0, NULL, NULL);
  OK(clFinish(queue));
  OK(clReleaseMemObject(image));
  Close();
}
