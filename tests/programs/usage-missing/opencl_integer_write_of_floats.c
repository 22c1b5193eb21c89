// Defect: A kernel writes integers into an image of floating-point numbers by write_imagei, whose behavior is undefined
// for that format.
// Fix: It writes them by write_imagef.
// EXPECT error usage-missing clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=store
// EXPECT-TEXT write_imagef
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
#ifdef DEFECT
  const char* source =
      "kernel void store(write_only image2d_t image) {"
      "  write_imagei(image, (int2)(get_global_id(0), get_global_id(1)), (int4)(7));"
      "}";
#else
  const char* source =
      "kernel void store(write_only image2d_t image) {"
      "  write_imagef(image, (int2)(get_global_id(0), get_global_id(1)), (float4)(7));"
      "}";
#endif
  cl_kernel store = NewKernel(source, "store");
  const cl_image_desc shape = Image2D(16, 16);
  const size_t items[2] = {16, 16};
  cl_mem image = MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error));
  OK(clSetKernelArg(store, 0, sizeof(image), &image));
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, store, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(image, store);
}
