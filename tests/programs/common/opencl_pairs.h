// Kernels of one program that are launched on two queues without order.
#pragma once

#include "common/opencl.h"

SHARED cl_command_queue other;
SHARED cl_program program;

// Opens both queues and builds the program.
SHARED void OpenPairs(const char* source) {
  Open(0);
  other = NewQueue(0);
  program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
  OK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
}

SHARED void ClosePairs(void) {
  OK(clReleaseProgram(program));
  OK(clReleaseCommandQueue(other));
  Close();
}

SHARED cl_kernel PairKernel(const char* name) {
  return MADE(clCreateKernel(program, name, &error));
}
SHARED void SetBuffer(cl_kernel kernel, cl_uint index, cl_mem buffer) {
  OK(clSetKernelArg(kernel, index, sizeof(buffer), &buffer));
}
SHARED void SetNumber(cl_kernel kernel, cl_uint index, cl_int number) {
  OK(clSetKernelArg(kernel, index, sizeof(number), &number));
}

// A buffer with `bytes` bytes of content.
SHARED cl_mem NewFilled(size_t bytes) {
  void* zeros = calloc(1, bytes);
  cl_mem buffer =
      MADE(clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, zeros, &error));
  free(zeros);
  return buffer;
}

SHARED void LaunchOn(cl_command_queue on, cl_kernel kernel, size_t items) {
  OK(clEnqueueNDRangeKernel(on, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
}

// Launches both kernels without order, waits, and releases them.
SHARED void LaunchBoth(cl_kernel one, cl_kernel two, size_t items) {
  LaunchOn(queue, one, items);
  LaunchOn(other, two, items);
  OK(clFinish(queue));
  OK(clFinish(other));
  OK(clReleaseKernel(one));
  OK(clReleaseKernel(two));
}
