// Arguments of kernels whose sizes look wrong.
#include "common/opencl.h"

// Arguments by value whose sizes look wrong: vectors of three, types by other names, and structures.
static const char kSource[] =
    "typedef float3 Point;"
    "typedef struct { float4 place; char kind; } Body;"
    "typedef unsigned int Count;"
    "typedef struct { float3 from; int steps; } Ray;"
    "typedef union { int whole; float parts[3]; } Either;"
    "typedef struct __attribute__((packed)) { char kind; int count; Body body; } Packed;"
    "typedef struct { char tags[3]; short ids[2]; double wide; } Mixed;"
    "kernel void pick(global float* out, Ray a, Either b, Packed c, Mixed d, enum { kNo, kYes } e) {"
    "  out[get_global_id(0)] = a.steps + b.parts[2] + c.count + d.ids[1] + e;"
    "}"
    "kernel void sum(global float* out, float3 a, char3 b, Point c, Body d, Count e, unsigned short f, long2 g) {"
    "  out[get_global_id(0)] = a.x + b.y + c.z + d.place.w + d.kind + e + f + g.y;"
    "}";

typedef struct {
  cl_float4 place;
  cl_char kind;
} Body;

typedef struct {
  cl_float3 from;
  cl_int steps;
} Ray;

typedef union {
  cl_int whole;
  cl_float parts[3];
} Either;

typedef struct __attribute__((packed)) {
  cl_char kind;
  cl_int count;
  Body body;
} Packed;

typedef struct {
  cl_char tags[3];
  cl_short ids[2];
  cl_double wide;
} Mixed;

// Structures, a union and an enumeration.
static void Pick(cl_mem out) {
  cl_kernel kernel = NewKernel(kSource, "pick");
  const Ray a = {{{1, 2, 3}}, 4};
  const Either b = {.parts = {1, 2, 3}};
  const Packed c = {1, 2, {{{1, 2, 3, 4}}, 5}};
  const Mixed d = {{1, 2, 3}, {4, 5}, 6};
  const cl_int e = 1;
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 1, sizeof(a), &a));
  OK(clSetKernelArg(kernel, 2, sizeof(b), &b));
  OK(clSetKernelArg(kernel, 3, sizeof(c), &c));
  OK(clSetKernelArg(kernel, 4, sizeof(d), &d));
  OK(clSetKernelArg(kernel, 5, sizeof(e), &e));
  const size_t global = 1024;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseKernel(kernel));
}

static void ArgumentSizes(void) {
  cl_kernel kernel = NewKernel(kSource, "sum");
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_float3 a = {{1, 2, 3}};
  const cl_char3 b = {{1, 2, 3}};
  const Body d = {{{1, 2, 3, 4}}, 5};
  const cl_uint e = 6;
  const cl_ushort f = 7;
  const cl_long2 g = {{8, 9}};
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
  OK(clSetKernelArg(kernel, 1, sizeof(a), &a));
  OK(clSetKernelArg(kernel, 2, sizeof(b), &b));
  OK(clSetKernelArg(kernel, 3, sizeof(a), &a));
  OK(clSetKernelArg(kernel, 4, sizeof(d), &d));
  OK(clSetKernelArg(kernel, 5, sizeof(e), &e));
  OK(clSetKernelArg(kernel, 6, sizeof(f), &f));
  OK(clSetKernelArg(kernel, 7, sizeof(g), &g));
  const size_t global = 1024;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  static cl_float values[1024];
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(values), values, 0, NULL, NULL));
  printf("%.0f\n", values[0]);
  Pick(out);
  RELEASE(out, kernel);
}

// Local memory has fewer elements than the work-group has work-items: only some of them use it, or all of them share
// elements. A launch with smaller groups reaches the end exactly.
static void LocalMemoryOfFewerItems(void) {
  cl_mem out = MADE(clCreateBuffer(context, 0, 1024 * sizeof(float), NULL, &error));
  const char* source =
      "kernel void first(global float* out, local float* tile) {"
      "  size_t i = get_local_id(0);"
      "  if (i < 16) tile[i] = get_global_id(0);"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[get_global_id(0)] = tile[i % 16];"
      "}"
      "kernel void folded(global float* out, local float* tile, int count) {"
      "  size_t i = get_local_id(0);"
      "  for (size_t at = i; at < count; at += get_local_size(0)) tile[at] = at;"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  if (get_group_id(0) > 100000) out[0] = tile[i];"
      "  out[get_global_id(0)] = tile[i & 15];"
      "}"
      "kernel void pairs(global float* out, local float* tile) {"
      "  size_t i = get_local_id(0);"
      "  if (i % 4 == 0) tile[i / 4] = 1;"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[get_global_id(0)] = tile[i / 4];"
      "}"
      "kernel void each(global float* out, local float* tile) {"
      "  tile[get_local_id(0)] = get_global_id(0);"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[get_global_id(0)] = tile[get_local_id(0)];"
      "}";
  const size_t items = 1024, group = 64, small_group = 16;
  const char* names[] = {"first", "folded", "pairs", "each"};
  for (int i = 0; i < 4; ++i) {
    cl_kernel kernel = NewKernel(source, names[i]);
    OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
    OK(clSetKernelArg(kernel, 1, 16 * sizeof(float), NULL));
    const cl_int count = 16;
    if (i == 1) OK(clSetKernelArg(kernel, 2, sizeof(count), &count));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, i == 3 ? &small_group : &group, 0, NULL, NULL));
    OK(clFinish(queue));
    // The last value of the argument counts.
    if (i == 3) {
      OK(clSetKernelArg(kernel, 1, group * sizeof(float), NULL));
      OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
      OK(clFinish(queue));
    }
    OK(clReleaseKernel(kernel));
  }
  RELEASE(out);
}

int main(void) {
  Open(0);
  ArgumentSizes();
  LocalMemoryOfFewerItems();
  Close();
}
