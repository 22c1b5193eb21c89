// An image is mapped for writing by its own pitch, unmapped, and read.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[8][16][4];
  const cl_image_desc shape = Image2D(16, 8);
  cl_mem image = MADE(clCreateImage(context, CL_MEM_READ_WRITE, &kRgba8, &shape, NULL, &error));
  const size_t region[3] = {16, 8, 1};
  size_t pitch = 0;
  unsigned char* mapped = MADE(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE, kOrigin,
                                                 region, &pitch, NULL, 0, NULL, NULL, &error));
  for (int y = 0; y < 8; ++y) memset(mapped + y * pitch, y, 16 * 4);
  OK(clEnqueueUnmapMemObject(queue, image, mapped, 0, NULL, NULL));
  OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
  printf("%d %d\n", texels[0][15][3], texels[7][15][3]);
  CLOSE(image);
}
