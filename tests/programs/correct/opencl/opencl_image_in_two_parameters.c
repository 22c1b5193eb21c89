// One image is the value of two read_only parameters, of two write_only ones, and changes its role from launch to launch.
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[16 * 16 * 4];
  const cl_image_desc shape = Image2D(16, 16);
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem images[2];
  for (int i = 0; i < 2; ++i)
    images[i] = MADE(clCreateImage(context, flags, &kRgba8, &shape, texels, &error));
  const char* source =
      "kernel void add(read_only image2d_t a, read_only image2d_t b, write_only image2d_t out) {"
      "  int2 at = (int2)(get_global_id(0), get_global_id(1));"
      "  write_imageui(out, at, read_imageui(a, at) + read_imageui(b, at));"
      "}"
      "kernel void fill(write_only image2d_t upper, write_only image2d_t lower) {"
      "  int x = get_global_id(0), y = get_global_id(1);"
      "  if (y < 8) write_imageui(upper, (int2)(x, y), (uint4)(1));"
      "  else write_imageui(lower, (int2)(x, y), (uint4)(2));"
      "}";
  cl_kernel add = NewKernel(source, "add");
  cl_kernel fill = NewKernel(source, "fill");
  const size_t items[2] = {16, 16};
  for (int turn = 0; turn < 2; ++turn) {
    cl_mem* from = &images[turn];
    cl_mem* to = &images[1 - turn];
    OK(clSetKernelArg(fill, 0, sizeof(*from), from));
    OK(clSetKernelArg(fill, 1, sizeof(*from), from));
    OK(clEnqueueNDRangeKernel(queue, fill, 2, NULL, items, NULL, 0, NULL, NULL));
    OK(clSetKernelArg(add, 0, sizeof(*from), from));
    OK(clSetKernelArg(add, 1, sizeof(*from), from));
    OK(clSetKernelArg(add, 2, sizeof(*to), to));
    OK(clEnqueueNDRangeKernel(queue, add, 2, NULL, items, NULL, 0, NULL, NULL));
  }
  OK(clFinish(queue));
  OK(clReleaseKernel(fill));
  OK(clReleaseKernel(add));
  for (int i = 0; i < 2; ++i) OK(clReleaseMemObject(images[i]));
  Close();
}
