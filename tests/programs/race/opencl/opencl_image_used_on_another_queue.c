// Defect: An image is written by the host while a kernel on another queue may still read it.
// Fix: An image is written by the host when the kernel on another queue has read it.
// EXPECT error race clEnqueueWriteImage at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-FACT hazard=WAR
#include "common/opencl.h"

int main(void) {
  Open(0);
  static unsigned char texels[64 * 4];
  cl_command_queue second = NewQueue(0);
  cl_kernel kernel = NewKernel(
      "constant sampler_t texel = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | "
      "CLK_FILTER_NEAREST;"
      "kernel void sum(read_only image2d_t in, global uint* out) {"
      "  uint4 value = read_imageui(in, texel, (int2)(get_global_id(0), 0));"
      "  out[get_global_id(0)] = value.x + value.y + value.z + value.w;"
      "}",
      "sum");
  const cl_image_desc shape = Image2D(64, 1);
  cl_mem image =
      MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgba8, &shape, texels, &error));
  cl_mem sums = MADE(clCreateBuffer(context, 0, 64 * sizeof(cl_uint), NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(sums), &sums));
  const size_t items = 64;
  const size_t region[3] = {64, 1, 1};
  cl_event summed;
  // @LAUNCH
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &summed));
  OK(clFlush(queue));
#ifdef DEFECT
  // @HERE
  OK(clEnqueueWriteImage(second, image, CL_TRUE, kOrigin, region, 0, 0, texels, 0, NULL, NULL));
#else
  OK(clEnqueueWriteImage(second, image, CL_TRUE, kOrigin, region, 0, 0, texels, 1, &summed, NULL));
#endif
  OK(clFinish(queue));
  CLOSE(summed, sums, image, kernel, second);
}
