// Defect: A two-dimensional image is written with a slice pitch.
// Fix: The slice pitch is 0.
// EXPECT error pitch-invalid clEnqueueWriteImage at HERE
// EXPECT-TEXT no slices
#include "common/opencl.h"

int main(void) {
  Open(0);
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgba8, &shape, NULL, &error));
  unsigned char* texels = calloc(16 * 16, 4);
  const size_t region[3] = {16, 16, 1};
#ifdef DEFECT
  const size_t slice_pitch = 16 * 16 * 4;
#else
  const size_t slice_pitch = 0;
#endif
  // @HERE
  clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 64, slice_pitch, texels, 0, NULL, NULL);
  free(texels);
  CLOSE(image);
}
