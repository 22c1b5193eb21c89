// Arguments by value whose sizes look wrong: vectors of three, types by other names, and structures.
#include "common/opencl.h"

static const char kSource[] =
    "typedef float3 Point;"
    "typedef struct { float4 place; char kind; } Body;"
    "typedef unsigned int Count;"
    "kernel void sum(global float* out, float3 a, char3 b, Point c, Body d, Count e, unsigned short f, long2 g) {"
    "  out[get_global_id(0)] = a.x + b.y + c.z + d.place.w + d.kind + e + f + g.y;"
    "}";

typedef struct {
  cl_float4 place;
  cl_char kind;
} Body;

int main(void) {
  Open(0);
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
  OK(clReleaseMemObject(out));
  OK(clReleaseKernel(kernel));
  Close();
}
