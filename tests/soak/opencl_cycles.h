// Cycles of create, write, launch, read and release in OpenCL, for soak::Run.
#pragma once

#include "programs/common/opencl.h"

namespace soak {

inline constexpr size_t kBytes = 16 * 1024;
inline constexpr const char* kSource =
    "kernel void scale(global float *data, float by) { data[get_global_id(0)] *= by; }";

struct OpenCl {
  using Block = cl_mem;
  static inline cl_program program;
  static inline cl_kernel kernel;

  static void Setup() {
    Open(0);
    const char* source = kSource;
    program = MADE(clCreateProgramWithSource(context, 1, &source, nullptr, &error));
    OK(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
    kernel = MADE(clCreateKernel(program, "scale", &error));
  }

  static void Cycle() {
    static float data[kBytes / sizeof(float)];
    cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, kBytes, nullptr, &error));
    OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, data, 0, nullptr, nullptr));
    const float by = 2;
    OK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    OK(clSetKernelArg(kernel, 1, sizeof(by), &by));
    const size_t items = kBytes / sizeof(float);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kBytes, data, 0, nullptr, nullptr));
    OK(clReleaseMemObject(buffer));
  }

  static Block Keep(size_t bytes) {
    return MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &error));  // the leak
  }

  static Block Entry() {
    return MADE(clCreateBuffer(context, CL_MEM_READ_WRITE, 65536, nullptr, &error));  // the cache
  }

  static void Fill(Block block) {
    size_t bytes;
    OK(clGetMemObjectInfo(block, CL_MEM_SIZE, sizeof(bytes), &bytes, nullptr));
    const cl_uint pattern = 7;
    OK(clEnqueueFillBuffer(queue, block, &pattern, sizeof(pattern), 0, bytes, 0, nullptr, nullptr));
    OK(clFinish(queue));
  }

  static bool Empty(Block block) { return block == nullptr; }
  static void Release(Block block) { OK(clReleaseMemObject(block)); }

  static void Teardown() {
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    Close();
  }
};

}  // namespace soak
