// The levels of a mipmapped image are written, read and mapped: the third element of an origin is the level.
#include "common/extensions.h"

int main(void) {
  OpenExtensions(0);
  cl_image_desc shape = Image2D(64, 64);
  shape.num_mip_levels = 4;
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  static unsigned char texels[64 * 64 * 4];
  for (size_t level = 0; level < 4; ++level) {
    const size_t origin[3] = {0, 0, level}, region[3] = {64 >> level, 64 >> level, 1};
    OK(clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
  }
  const size_t origin[3] = {0, 0, 2}, region[3] = {16, 16, 1};
  size_t row_pitch, slice_pitch;
  void* mapped = MADE(clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin, region, &row_pitch, &slice_pitch, 0,
                                        NULL, NULL, &error));
  OK(clEnqueueUnmapMemObject(queue, image, mapped, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(image);
}
