// Kernels have inputs that nothing has written, and do not read them: a flag, a structure, a number
// in a buffer or the data say so.
#include "common/opencl.h"

static const char* const kSource =
    "typedef struct { int count; float weight; } Settings;\n"
    "kernel void flag(global const float* in, global const float* old, global float* out, int "
    "first) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = first ? in[i] : in[i] + old[i];\n"
    "}\n"
    "kernel void structure(global const float* in, global const float* old, global float* out,\n"
    "                      Settings settings) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = in[i];\n"
    "  if (i < settings.count) out[i] += old[i];\n"
    "}\n"
    "kernel void number(global const float* in, global const float* old, global float* out,\n"
    "                   global const int* count) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = in[i];\n"
    "  if (i < *count) out[i] += old[i];\n"
    "}\n"
    "kernel void weighted(global const float* in, global const float* old, global float* out,\n"
    "                     float weight) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = in[i];\n"
    "  if (weight != 0) out[i] += weight * old[i];\n"
    "}\n"
    "kernel void data(global const float* in, global const float* old, global float* out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = in[i];\n"
    "  if (in[i] > 5) out[i] += old[i];\n"
    "}\n"
    "kernel void scratch(global const float* in, global float* old, global float* out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  if (i == 0)\n"
    "    for (int j = 0; j < 64; ++j) old[j] = 0;\n"
    "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "  out[i] = in[i] + old[i];\n"
    "}\n";

static const char* const kImageSource =
    "kernel void flag(read_only image2d_t in, read_only image2d_t old, write_only image2d_t out,\n"
    "                 int first) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  uint4 texel = read_imageui(in, at);\n"
    "  if (!first) texel += read_imageui(old, at);\n"
    "  write_imageui(out, at, texel);\n"
    "}\n"
    "kernel void number(read_only image2d_t in, read_only image2d_t old, write_only image2d_t "
    "out,\n"
    "                   constant int* use) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  uint4 texel = read_imageui(in, at);\n"
    "  if (*use) texel += read_imageui(old, at);\n"
    "  write_imageui(out, at, texel);\n"
    "}\n";

typedef struct {
  cl_int count;
  cl_float weight;
} Settings;

static const cl_int kOne = 1, kZero = 0;
static cl_mem number;

// Sets the argument behind the memory arguments, if the kernel has one.
static void SetLast(cl_kernel kernel, const char* name, int written) {
  const cl_float none = 0;
  const Settings settings = {written, 1};
  if (strcmp(name, "flag") == 0) OK(clSetKernelArg(kernel, 3, sizeof(kOne), &kOne));
  if (strcmp(name, "structure") == 0) OK(clSetKernelArg(kernel, 3, sizeof(settings), &settings));
  if (strcmp(name, "number") == 0) OK(clSetKernelArg(kernel, 3, sizeof(number), &number));
  if (strcmp(name, "weighted") == 0) OK(clSetKernelArg(kernel, 3, sizeof(none), &none));
}

// Runs the kernel with an input of which `written` of 64 elements are written.
static void RunOnBuffers(const char* name, int written) {
  cl_mem memory[3];
  for (int i = 0; i < 3; ++i)
    memory[i] = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &error));
  OK(clEnqueueFillBuffer(queue, memory[0], &kZero, sizeof(kZero), 0, 256, 0, NULL, NULL));
  if (written != 0) {
    OK(clEnqueueFillBuffer(queue, memory[1], &kZero, sizeof(kZero), 0, 4 * (size_t)written, 0, NULL,
                           NULL));
  }
  cl_kernel kernel = NewKernel(kSource, name);
  for (cl_uint i = 0; i < 3; ++i) OK(clSetKernelArg(kernel, i, sizeof(cl_mem), &memory[i]));
  SetLast(kernel, name, written);
  const size_t items = 64;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
  for (int i = 0; i < 3; ++i) OK(clReleaseMemObject(memory[i]));
}

static void RunOnImages(const char* name) {
  const cl_image_desc shape = Image2D(32, 32);
  cl_mem images[3];
  for (int i = 0; i < 3; ++i)
    images[i] = MADE(clCreateImage(context, CL_MEM_READ_WRITE, &kRgba8, &shape, NULL, &error));
  const cl_uint black[4] = {0, 0, 0, 0};
  const size_t region[3] = {32, 32, 1};
  OK(clEnqueueFillImage(queue, images[0], black, kOrigin, region, 0, NULL, NULL));
  cl_kernel kernel = NewKernel(kImageSource, name);
  for (cl_uint i = 0; i < 3; ++i) OK(clSetKernelArg(kernel, i, sizeof(cl_mem), &images[i]));
  SetLast(kernel, name, 0);
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, region, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
  for (int i = 0; i < 3; ++i) OK(clReleaseMemObject(images[i]));
}

int main(void) {
  Open(0);
  const cl_int zero = 0;
  number = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(zero),
                               (void*)&zero, &error));
  const char* const names[] = {"flag", "structure", "number", "weighted", "data", "scratch"};
  for (int i = 0; i < 6; ++i) {
    RunOnBuffers(names[i], 0);
    RunOnBuffers(names[i], 40);
  }
  RunOnImages("flag");
  RunOnImages("number");
  CLOSE(number);
}
