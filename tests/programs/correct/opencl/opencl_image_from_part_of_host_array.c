// Images are created from the right half of a larger host array: their last row ends with the array, though their row
// pitch, that of the array, would go on.
#include "common/opencl.h"

int main(void) {
  Open(0);
  enum { kWidth = 16, kHeight = 8 };
  uint32_t* array = malloc(2 * kWidth * kHeight * sizeof(*array));
  for (int i = 0; i < 2 * kWidth * kHeight; ++i) array[i] = i;
  cl_image_desc shape = Image2D(kWidth, kHeight);
  shape.image_row_pitch = 2 * kWidth * sizeof(*array);
  cl_mem image = MADE(clCreateImage(context, CL_MEM_USE_HOST_PTR, &kRgba8, &shape, array + kWidth, &error));
  static uint32_t texels[kWidth * kHeight];
  const size_t origin[3] = {0, 0, 0}, region[3] = {kWidth, kHeight, 1};
  OK(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
  printf("%u\n", texels[kWidth * kHeight - 1]);
  OK(clReleaseMemObject(image));
  free(array);
  Close();
}
