// gpusan does not know the code of the kernels. They read the written part of their input only.
// OPTION --kernel-analysis=false
#include "common/opencl.h"

// gpusan does not know the code of the kernels. They do not read the unwritten part of an input:
// a number of elements, a flag, a structure or a small buffer says so.
static void InputsOfUnknownKernels(void) {
  static const char* const kSource =
      "typedef struct { int count; float weight; } Settings;\n"
      "kernel void count(global const float* in, global float* out, int count) {\n"
      "  int i = get_global_id(0);\n"
      "  if (i < count) out[i] = in[i];\n"
      "}\n"
      "kernel void flag(global const float* in, global float* out, int first) {\n"
      "  int i = get_global_id(0);\n"
      "  out[i] = first ? 0 : in[i];\n"
      "}\n"
      "kernel void structure(global const float* in, global float* out, Settings settings) {\n"
      "  int i = get_global_id(0);\n"
      "  if (i < settings.count) out[i] = in[i];\n"
      "}\n"
      "kernel void number(global const float* in, global float* out, global const int* count) {\n"
      "  int i = get_global_id(0);\n"
      "  if (i < *count) out[i] = in[i];\n"
      "}\n";
  const cl_int written = 600, one = 1, zero = 0;
  const struct {
    cl_int count;
    cl_float weight;
  } settings = {600, 1};
  cl_mem number = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                      sizeof(written), (void*)&written, &error));
  const char* const names[] = {"count", "flag", "structure", "number"};
  const size_t sizes[] = {sizeof(written), sizeof(one), sizeof(settings), sizeof(number)};
  const void* const values[] = {&written, &one, &settings, &number};
  for (int i = 0; i < 4; ++i) {
    cl_mem in = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY, 4096, NULL, &error));
    cl_mem out = MADE(clCreateBuffer(context, CL_MEM_WRITE_ONLY, 4096, NULL, &error));
    OK(clEnqueueFillBuffer(queue, in, &zero, sizeof(zero), 0, 2400, 0, NULL, NULL));
    cl_kernel kernel = NewKernel(kSource, names[i]);
    OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
    OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
    OK(clSetKernelArg(kernel, 2, sizes[i], values[i]));
    const size_t items = 1024;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(in));
    OK(clReleaseMemObject(out));
  }
  RELEASE(number);
}

// gpusan does not know the code of the kernels. They read the last elements of their input alone,
// which are the ones that are written: a number of elements or the index of the first one says so.
static void KernelsFromTheEnd(void) {
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
}

int main(void) {
  Open(0);
  InputsOfUnknownKernels();
  KernelsFromTheEnd();
  Close();
}
