// A sampler is set, replaced and released after the launches, and a kernel is cloned with it.
#include "common/opencl.h"

static const char kSource[] =
    "kernel void take(read_only image2d_t in, sampler_t how, global float* out) {"
    "  out[get_global_id(0)] = read_imagef(in, how, (float2)(get_global_id(0) + 0.5f, 0.5f)).x; }";

static cl_sampler NewSampler(cl_filter_mode filter) {
  return MADE(clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, filter, &error));
}

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(kSource, "take");
  const cl_image_desc shape = Image2D(16, 16);
  cl_float* texels = calloc(16 * 16, 16);
  cl_mem image = MADE(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &kRgbaFloat, &shape, texels, &error));
  cl_mem out = MADE(clCreateBuffer(context, 0, 64, NULL, &error));
  const size_t items = 16;
  OK(clSetKernelArg(kernel, 0, sizeof(image), &image));
  OK(clSetKernelArg(kernel, 2, sizeof(out), &out));
  for (int i = 0; i < 4; ++i) {
    cl_sampler sampler = NewSampler(CL_FILTER_NEAREST);
    OK(clSetKernelArg(kernel, 1, sizeof(sampler), &sampler));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseSampler(sampler));
  }
  cl_sampler last = NewSampler(CL_FILTER_LINEAR);
  OK(clSetKernelArg(kernel, 1, sizeof(last), &last));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseSampler(last));
  OK(clReleaseKernel(kernel));
  OK(clReleaseMemObject(out));
  OK(clReleaseMemObject(image));
  free(texels);
  Close();
}
