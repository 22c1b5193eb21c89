// Defect: A kernel is launched after the program has released the sampler of its argument.
// Fix: The sampler is released after the launch.
// EXPECT error use-after-free clEnqueueNDRangeKernel at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXPECT-FACT argument=argument 1 (how) of kernel "take"
// EXIT any
#include "common/opencl.h"

static const char kSource[] =
    "kernel void take(read_only image2d_t in, sampler_t how, global float* out) {"
    "  out[get_global_id(0)] = read_imagef(in, how, (int2)(get_global_id(0), 0)).x; }";

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(kSource, "take");
  const cl_image_desc shape = Image2D(16, 16);
  cl_float* texels = calloc(16 * 16, 16);
  cl_mem image = MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgbaFloat, &shape, texels, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 64, NULL, &error));
  // @CREATED
  cl_sampler sampler =
      MADE(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 1, sizeof(sampler), &sampler));
  OK(clSetKernelArg(kernel, 2, sizeof(out), &out));
#ifdef DEFECT
  // @RELEASED
  OK(clReleaseSampler(sampler));
#endif
  const size_t items = 16;
  // @HERE
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
  OK(clFinish(queue));
#ifndef DEFECT
  OK(clReleaseSampler(sampler));
#endif
  OK(clReleaseMemObject(out));
  OK(clReleaseMemObject(image));
  OK(clReleaseKernel(kernel));
  free(texels);
  Close();
}
