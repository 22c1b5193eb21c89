// Defect: An image argument of a kernel is set to NULL.
// Fix: The argument is set to an image.
// EXPECT error invalid-handle clSetKernelArg at HERE
// EXPECT-FACT argument=arg_value
// EXPECT-FACT handle=NULL
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel("kernel void take(read_only image2d_t in, global float* out) {"
                               "  out[get_global_id(0)] = read_imagef(in, (int2)(get_global_id(0), 0)).x; }",
                               "take");
#ifdef DEFECT
  cl_mem image = NULL;
#else
  const cl_image_desc shape = Image2D(16, 16);
  cl_mem image = MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error));
#endif
  // @HERE
  clSetKernelArg(kernel, 0, sizeof(image), &image);
#ifndef DEFECT
  OK(clReleaseMemObject(image));
#endif
  CLOSE(kernel);
}
