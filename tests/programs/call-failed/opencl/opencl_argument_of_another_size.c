// Defect: Kernel arguments are set with sizes that their parameters do not have.
// Fix: The sizes are those of the parameters.
#include "common/opencl.h"

// Defect: A kernel's float argument is set from a double.
// Fix: A kernel's float argument is set from a float.
// EXPECT warning call-failed clSetKernelArg CL_INVALID_ARG_SIZE at HERE
// EXPECT-TEXT argument 1
static void ArgumentSize(void) {
  cl_kernel kernel = NewKernel(
      "kernel void scale(global float* out, float factor) { out[get_global_id(0)] = factor; }",
      "scale");
#ifdef DEFECT
  const cl_double factor = 2;
#else
  const cl_float factor = 2;
#endif
  // @HERE
  clSetKernelArg(kernel, 1, sizeof(factor), &factor);
  RELEASE(kernel);
}

// Defect: Local memory of a kernel gets a value, and then no size.
// Fix: Local memory of a kernel gets a size only.
// EXPECT warning call-failed clSetKernelArg CL_INVALID_ARG_VALUE at VALUE_2
// EXPECT-TEXT arg_value is not NULL, but the parameter is local memory
// EXPECT warning call-failed clSetKernelArg CL_INVALID_ARG_SIZE at SIZE_2
// EXPECT-TEXT arg_size is 0, but the parameter is local memory
// EXPECT warning call-failed clBuildProgram CL_INVALID_VALUE at BUILD_2
// EXPECT-TEXT num_devices is 1, but device_list is NULL
static void LocalArgument(void) {
  cl_kernel kernel = NewKernel("kernel void use(local int* shared_by_group) { shared_by_group[get_local_id(0)] = 1; }",
                               "use");
  const char* source = "kernel void nothing(int value) {}";
  cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
#ifdef DEFECT
  const int value = 1;
  // @VALUE_2
  clSetKernelArg(kernel, 0, 256, &value);
  // @SIZE_2
  clSetKernelArg(kernel, 0, 0, NULL);
  // @BUILD_2
  clBuildProgram(program, 1, NULL, NULL, NULL, NULL);
#else
  OK(clSetKernelArg(kernel, 0, 256, NULL));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
#endif
  RELEASE(program, kernel);
}

// Defect: A kernel's float3 argument is set from three floats, 12 B; the type has 16 B.
// Fix: The argument is set from a cl_float3.
// EXPECT error call-failed clSetKernelArg at HERE_3
// EXPECT-TEXT a float3 of 16 B
// EXPECT-FACT arg_size=12
// EXPECT-FACT needed_bytes=16
static void VectorArgumentSize(void) {
  cl_kernel kernel = NewKernel(
      "kernel void move(global float* out, float3 step) { out[get_global_id(0)] = step.x + step.y + step.z; }", "move");
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
#ifdef DEFECT
  const cl_float step[4] = {1, 2, 3};
  // @HERE_3
  OK(clSetKernelArg(kernel, 1, 3 * sizeof(cl_float), step));
#else
  const cl_float3 step = {{1, 2, 3}};
  OK(clSetKernelArg(kernel, 1, sizeof(step), &step));
#endif
  const size_t global = 1024;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(out, kernel);
}

// Defect: The host declares a structure of 20 B for a kernel's structure that begins with a float4, and so has 32 B.
// Fix: The member of the host has the type cl_float4.
// EXPECT error call-failed clSetKernelArg at HERE_2
// EXPECT-TEXT has the type Body of 32 B
// EXPECT-FACT arg_size=20
// EXPECT-FACT needed_bytes=32
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

static void StructureArgumentSize(void) {
  cl_kernel kernel = NewKernel(kSource, "pull");
  cl_mem out = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  Body bodies[2] = {{.mass = 5}, {.mass = 6}};
  OK(clSetKernelArg(kernel, 0, sizeof(out), &out));
  // @HERE_2
  OK(clSetKernelArg(kernel, 1, sizeof(Body), bodies));
  const size_t global = 1024;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  RELEASE(out, kernel);
}

int main(void) {
  Open(0);
  ArgumentSize();
  LocalArgument();
  VectorArgumentSize();
  StructureArgumentSize();
  Close();
}
