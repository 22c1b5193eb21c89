// One image of each type is filled, copied to a buffer, and read to the last texel.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[8 * 8 * 8 * 4];
  const cl_uint4 color = {{1, 2, 3, 4}};
  cl_image_desc lines = Image1D(8);
  lines.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
  lines.image_array_size = 8;
  const cl_image_desc shapes[5] = {Image1D(8), lines, Image2D(8, 8), Image2DArray(8, 8, 8),
                                   Image3D(8, 8, 8)};
  const size_t regions[5][3] = {{8, 1, 1}, {8, 8, 1}, {8, 8, 1}, {8, 8, 8}, {8, 8, 8}};
  for (int i = 0; i < 5; ++i) {
    const size_t bytes = regions[i][0] * regions[i][1] * regions[i][2] * 4;
    cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shapes[i], NULL, &error));
    cl_mem buffer = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
    OK(clEnqueueFillImage(queue, image, &color, kOrigin, regions[i], 0, NULL, NULL));
    OK(clEnqueueCopyImageToBuffer(queue, image, buffer, kOrigin, regions[i], 0, 0, NULL, NULL));
    OK(clEnqueueCopyBufferToImage(queue, buffer, image, 0, kOrigin, regions[i], 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, image, CL_TRUE, kOrigin, regions[i], 0, 0, texels, 0, NULL, NULL));
    printf("%d\n", texels[bytes - 1]);
    OK(clReleaseMemObject(buffer));
    OK(clReleaseMemObject(image));
  }
  Close();
}
