// Defect: Kernels read a buffer, an image and the buffer of an image that nothing has written.
// Fix: The program writes them first.
#include "common/opencl.h"

// Defect: A kernel reads a buffer that nothing has written.
// Fix: A kernel reads a buffer that was created with data.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT kernel=copy
// EXPECT-FACT argument=0
static void KernelInput(void) {
  static int data[64];
#ifdef DEFECT
  // @CREATED
  cl_mem in = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
#else
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error));
#endif
  cl_mem out = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  cl_kernel kernel = NewKernel(
      "kernel void copy(global const int* in, global int* out) {"
      "  out[get_global_id(0)] = in[get_global_id(0)];"
      "}",
      "copy");
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items = 64;
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, out, in);
}

// Defect: A kernel reads every texel of an image that nothing has written.
// Fix: The image is written before the launch.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT argument=0
static void KernelReadsImage(void) {
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  // @CREATED_2
  cl_mem image = MADE(clCreateImage(context, CL_MEM_READ_ONLY, &kRgba8, &shape, NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 16 * 16 * 16, NULL, &error));
  const size_t region[3] = {16, 16, 1};
#ifndef DEFECT
  OK(clEnqueueWriteImage(queue, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
#endif
  cl_kernel kernel = NewKernel(
      "kernel void widen(read_only image2d_t in, global uint4* out) {"
      "  const sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
      "                          CLK_FILTER_NEAREST;"
      "  int x = get_global_id(0), y = get_global_id(1);"
      "  out[y * get_global_size(0) + x] = read_imageui(in, exact, (int2)(x, y));"
      "}",
      "widen");
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items[2] = {16, 16};
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, out, image);
}

// Defect: A kernel reads an image that was created from a buffer, which nothing has written.
// Fix: The program fills the buffer first.
// EXPECT warning uninitialized-read clEnqueueNDRangeKernel at HERE_3
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=load
static void ImageOfUnwrittenBuffer(void) {
  enum { kItems = 256 };
  cl_kernel kernel = NewKernel(
      "kernel void load(read_only image1d_buffer_t line, global float4* out) {"
      "  const int x = get_global_id(0);"
      "  out[x] = read_imagef(line, x);"
      "}",
      "load");
  const size_t items = kItems, bytes = kItems * 4 * sizeof(cl_float);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, bytes, NULL, &error));
#ifndef DEFECT
  const cl_float one = 1;
  OK(clEnqueueFillBuffer(queue, buffer, &one, sizeof(one), 0, bytes, 0, NULL, NULL));
#endif
  cl_image_desc shape = Image1D(kItems);
  shape.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  shape.buffer = buffer;
  cl_mem line = MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(line), &line));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  // @HERE_3
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(line, buffer, out, kernel);
}

int main(void) {
  Open(0);
  KernelInput();
  KernelReadsImage();
  ImageOfUnwrittenBuffer();
  Close();
}
