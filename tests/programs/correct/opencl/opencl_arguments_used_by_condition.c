// A kernel uses an argument only if a flag says so, or if it has a work item for it. The host and
// another kernel use the buffer meanwhile.
#include "common/opencl.h"

static const char* const kSource =
    "kernel void copy(global int* from, global int* to, global int* debug, int with_debug) {\n"
    "  size_t i = get_global_id(0);\n"
    "  to[i] = from[i];\n"
    "  if (with_debug) debug[i] = 1;\n"
    "}\n"
    "kernel void first(global int* from, global int* to, int count) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i >= count) return;\n"
    "  to[i] = from[i];\n"
    "}\n"
    "kernel void ignores(global int* from, global int* to, global int* unused) {\n"
    "  to[get_global_id(0)] = from[get_global_id(0)];\n"
    "}\n";

int main(void) {
  Open(0);
  cl_command_queue other = NewQueue(0);
  cl_program program =
      MADE(clCreateProgramWithSource(context, 1, (const char**)&kSource, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
  static int data[64];
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_mem buffers[3];
  for (int i = 0; i < 3; ++i)
    buffers[i] = MADE(clCreateBuffer(context, flags, sizeof(data), data, &error));
  const char* const names[] = {"copy", "first", "ignores"};
  for (int i = 0; i < 3; ++i) {
    cl_kernel kernel = MADE(clCreateKernel(program, names[i], &error));
    const cl_int none = 0, some = 32;
    OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[0]));
    OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &buffers[1]));
    if (i != 1) OK(clSetKernelArg(kernel, 2, sizeof(cl_mem), &buffers[2]));
    if (i == 0) OK(clSetKernelArg(kernel, 3, sizeof(none), &none));
    if (i == 1) OK(clSetKernelArg(kernel, 2, sizeof(some), &some));
    const size_t items = 64;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    if (i == 1) {
      // The kernel ends at the first half.
      OK(clEnqueueWriteBuffer(other, buffers[1], CL_TRUE, 128, 128, data, 0, NULL, NULL));
    } else {
      OK(clEnqueueWriteBuffer(other, buffers[2], CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
    }
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
  }
  for (int i = 0; i < 3; ++i) OK(clReleaseMemObject(buffers[i]));
  CLOSE(program, other);
}
