// Defect: The address of the sampler is set as the value of a sampler argument, instead of the sampler.
// Fix: The value is the sampler.
// EXPECT error invalid-handle clSetKernelArg at HERE
// EXPECT-FACT argument=arg_value
// EXIT any
#include "common/opencl.h"

static const char kSource[] =
    "kernel void take(read_only image2d_t in, sampler_t how, global float* out) {"
    "  out[get_global_id(0)] = read_imagef(in, how, (int2)(get_global_id(0), 0)).x; }";

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(kSource, "take");
  cl_sampler sampler =
      MADE(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error));
#ifdef DEFECT
  const uintptr_t nothing = (uintptr_t)-4096;
  const void* value = &nothing;
#else
  const void* value = &sampler;
#endif
  // @HERE
  clSetKernelArg(kernel, 1, sizeof(sampler), value);
  CLOSE(sampler, kernel);
}
