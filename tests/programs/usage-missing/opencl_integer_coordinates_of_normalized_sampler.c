// Defect: A kernel reads an image at integer coordinates, and the program passes a sampler for normalized coordinates.
// Fix: It passes a sampler for coordinates that are not normalized.
// EXPECT error usage-missing clEnqueueNDRangeKernel at HERE
// EXPECT-FACT argument=0
// EXPECT-FACT kernel=load
// EXPECT-TEXT normalized coordinates
#include "common/opencl.h"

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(
      "kernel void load(read_only image2d_t image, sampler_t sampler, global float4* out) {"
      "  const int x = get_global_id(0);"
      "  out[x] = read_imagef(image, sampler, (int2)(x, 0));"
      "}",
      "load");
  const cl_image_desc shape = Image2D(16, 16);
  const size_t items = 16, all[3] = {16, 16, 1};
  const cl_float ones[4] = {1, 1, 1, 1};
  cl_mem image = MADE(clCreateImage(context, 0, &kRgbaFloat, &shape, NULL, &error));
  OK(clEnqueueFillImage(queue, image, ones, kOrigin, all, 0, NULL, NULL));
  cl_mem out = MADE(clCreateBuffer(context, 0, 16 * 16, NULL, &error));
#ifdef DEFECT
  const cl_bool normalized = CL_TRUE;
#else
  const cl_bool normalized = CL_FALSE;
#endif
  cl_sampler sampler =
      MADE(clCreateSampler(context, normalized, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(sampler), &sampler));
  OK(clSetKernelArg(kernel, 2, sizeof(out), &out));
  // @HERE
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(sampler, image, out, kernel);
}
