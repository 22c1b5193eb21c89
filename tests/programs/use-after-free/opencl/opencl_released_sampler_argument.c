// Defect: A sampler that the program has released is set as the argument of a kernel.
// Fix: The sampler is released after the last launch.
// EXPECT error use-after-free clSetKernelArg at HERE
// EXPECT-PARTY allocation at CREATED
// EXPECT-PARTY release at RELEASED
// EXIT any
#include "common/opencl.h"

static const char kSource[] =
    "kernel void take(read_only image2d_t in, sampler_t how, global float* out) {"
    "  out[get_global_id(0)] = read_imagef(in, how, (int2)(get_global_id(0), 0)).x; }";

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(kSource, "take");
  // @CREATED
  cl_sampler sampler =
      MADE(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error));
#ifdef DEFECT
  // @RELEASED
  OK(clReleaseSampler(sampler));
#endif
  // @HERE
  clSetKernelArg(kernel, 1, sizeof(sampler), &sampler);
#ifndef DEFECT
  OK(clReleaseSampler(sampler));
#endif
  CLOSE(kernel);
}
