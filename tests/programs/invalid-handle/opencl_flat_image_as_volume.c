// Defect: The parameter of a kernel is an image3d_t, and the program passes an image of two dimensions.
// Fix: It passes an image of three dimensions.
// EXPECT error invalid-handle clSetKernelArg at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT type=image3d_t
// EXPECT-FACT kernel=slice
// EXIT any
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(
      "kernel void slice(read_only image3d_t volume, read_only image2d_array_t layers, read_only image1d_t line,"
      "                  global float4* out) {"
      "  const int x = get_global_id(0);"
      "  out[x] = read_imagef(volume, (int4)(x, 0, 0, 0)) + read_imagef(layers, (int4)(x, 0, 0, 0)) + read_imagef(line, x);"
      "}",
      "slice");
  const cl_float ones[4] = {1, 1, 1, 1};
  const cl_image_desc flat = Image2D(16, 4), deep = Image3D(16, 4, 2), array = Image2DArray(16, 4, 2),
                      thin = Image1D(16);
  const size_t volume_size[3] = {16, 4, 2}, items = 16;
  const size_t flat_size[3] = {16, 4, 1}, line_size[3] = {16, 1, 1};
  cl_mem images[] = {MADE(clCreateImage(context, 0, &kRgbaFloat, &deep, NULL, &error)),
                     MADE(clCreateImage(context, 0, &kRgbaFloat, &array, NULL, &error)),
                     MADE(clCreateImage(context, 0, &kRgbaFloat, &thin, NULL, &error)),
                     MADE(clCreateImage(context, 0, &kRgbaFloat, &flat, NULL, &error))};
  const size_t* sizes[] = {volume_size, volume_size, line_size, flat_size};
  for (int i = 0; i < 4; ++i) OK(clEnqueueFillImage(queue, images[i], ones, kOrigin, sizes[i], 0, NULL, NULL));
  cl_mem out = MADE(clCreateBuffer(context, 0, 16 * 16, NULL, &error));
#ifdef DEFECT
  cl_mem volume = images[3];
#else
  cl_mem volume = images[0];
#endif
  // @HERE
  clSetKernelArg(kernel, 0, sizeof(volume), &volume);
  OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &images[0]));
  OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &images[1]));
  OK(clSetKernelArg(kernel, 2, sizeof(cl_mem), &images[2]));
  OK(clSetKernelArg(kernel, 3, sizeof(out), &out));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  for (int i = 0; i < 4; ++i) OK(clReleaseMemObject(images[i]));
  CLOSE(out, kernel);
}
