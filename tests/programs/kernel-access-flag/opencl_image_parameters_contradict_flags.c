// Defect: A kernel writes an image that kernels may only read, and another one has an image as its
// read_only and its write_only argument.
// Fix: The kernels write other images.
#include "common/opencl.h"

// Defect: A kernel writes an image that was created CL_MEM_READ_ONLY: its argument says write_only.
// Fix: A kernel writes an image that was created CL_MEM_WRITE_ONLY.
// EXPECT error kernel-access-flag clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-FACT kernel=fill
// EXPECT-FACT argument=0
static void WriteReadOnlyImage(void) {
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
#ifdef DEFECT
  const cl_mem_flags flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
#else
  const cl_mem_flags flags = CL_MEM_WRITE_ONLY | CL_MEM_COPY_HOST_PTR;
#endif
  // @CREATED
  cl_mem image = MADE(clCreateImage(context, flags, &kRgba8, &shape, texels, &error));
  cl_kernel kernel = NewKernel(
      "kernel void fill(write_only image2d_t out) {"
      "  write_imageui(out, (int2)(get_global_id(0), get_global_id(1)), (uint4)(7));"
      "}",
      "fill");
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  const size_t items[2] = {16, 16};
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, image);
}

// Defect: One image is the read_only and the write_only argument of a launch.
// Fix: The launch writes into a second image.
// EXPECT error kernel-access-flag clEnqueueNDRangeKernel at HERE_2
// EXPECT-PARTY allocation at CREATED_2
// EXPECT-FACT kernel=invert
// EXPECT-FACT argument=1
// EXPECT-FACT other_argument=0
static void ImageReadAndWritten(void) {
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  // @CREATED_2
  cl_mem image = MADE(clCreateImage(context, flags, &kRgba8, &shape, texels, &error));
  cl_mem other = MADE(clCreateImage(context, flags, &kRgba8, &shape, texels, &error));
  cl_kernel kernel = NewKernel(
      "kernel void invert(read_only image2d_t in, write_only image2d_t out) {"
      "  int2 at = (int2)(get_global_id(0), get_global_id(1));"
      "  write_imageui(out, at, 255 - read_imageui(in, at));"
      "}",
      "invert");
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
#ifdef DEFECT
  OK(clSetKernelArg(kernel, 1, sizeof(image), &image));
#else
  OK(clSetKernelArg(kernel, 1, sizeof(other), &other));
#endif
  const size_t items[2] = {16, 16};
  // @HERE_2
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(kernel, other, image);
}

int main(void) {
  Open(0);
  WriteReadOnlyImage();
  ImageReadAndWritten();
  Close();
}
