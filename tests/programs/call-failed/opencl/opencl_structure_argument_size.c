// Defect: The host declares a structure of 20 B for a kernel's structure that begins with a float4, and so has 32 B.
// Fix: The member of the host has the type cl_float4.
// EXPECT error call-failed clSetKernelArg at HERE
// EXPECT-TEXT has the type Body of 32 B
// EXPECT-FACT arg_size=20
// EXPECT-FACT needed_bytes=32
#include "common/opencl.h"

static const char kSource[] =
    "typedef struct { float4 place; float mass; } Body;"
    "kernel void pull(global float* out, Body body) { out[get_global_id(0)] = body.place.x * body.mass; }";

typedef struct {
#ifdef DEFECT
  cl_float place[4];
#else
  cl_float4 place;
#endif
  cl_float mass;
} Body;

int main(void) {
  Open(0);
  cl_kernel kernel = NewKernel(kSource, "pull");
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  Body bodies[2] = {{.mass = 5}, {.mass = 6}};
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
  // @HERE
  OK(clSetKernelArg(kernel, 1, sizeof(Body), bodies));
  const size_t global = 1024;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CLOSE(out, kernel);
}
