// gpusan does not know the code of the kernels. They read the last elements of their input alone,
// which are the ones that are written: a number of elements or the index of the first one says so.
// OPTION --kernel-analysis=false
#include "common/opencl.h"

static const char* const kSource =
    "kernel void reverse(global const float* in, global float* out, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) out[i] = in[get_global_size(0) - 1 - i];\n"
    "}\n"
    "kernel void from(global const float* in, global float* out, int first) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i >= first) out[i] = in[i];\n"
    "}\n"
    "kernel void loop(global const float* in, global float* out, int n) {\n"
    "  float sum = 0;\n"
    "  for (int i = 1023; i >= 1024 - n; --i) sum += in[i];\n"
    "  out[get_global_id(0)] = sum;\n"
    "}\n"
    "kernel void walk(global const float* in, global float* out, int n) {\n"
    "  global const float* last = in + 1024;\n"
    "  float sum = 0;\n"
    "  while (n--) sum += *--last;\n"
    "  out[get_global_id(0)] = sum;\n"
    "}\n";

int main(void) {
  Open(0);
  const char* const names[] = {"reverse", "from", "loop", "walk"};
  const cl_int values[] = {400, 624, 400, 400};
  const float zero = 0;
  for (int i = 0; i < 4; ++i) {
    cl_mem in = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY, 4096, NULL, &error));
    cl_mem out = MADE(clCreateBuffer(context, CL_MEM_WRITE_ONLY, 4096, NULL, &error));
    OK(clEnqueueFillBuffer(queue, in, &zero, sizeof(zero), 2496, 1600, 0, NULL, NULL));
    cl_kernel kernel = NewKernel(kSource, names[i]);
    OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
    OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
    OK(clSetKernelArg(kernel, 2, sizeof(values[i]), &values[i]));
    const size_t items = 1024;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(in));
    OK(clReleaseMemObject(out));
  }
  Close();
}
