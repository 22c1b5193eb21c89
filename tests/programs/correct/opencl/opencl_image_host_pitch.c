// Images are written and read with a pitch wider than their rows; the host block ends with the
// last texel.
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { width = 32, height = 24, pitch = 256, bytes = (height - 1) * pitch + width * 4 };
  unsigned char* texels = malloc(bytes);
  memset(texels, 3, bytes);
  const cl_image_desc shape = Image2D(width, height);
  cl_mem image = MADE(clCreateImage(context, CL_MEM_READ_WRITE, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {width, height, 1};
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, pitch, 0, texels, 0, NULL, NULL));
  OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, region, pitch, 0, texels, 0, NULL, NULL));
  printf("%d\n", texels[bytes - 1]);
  free(texels);
  CLOSE(image);
}
