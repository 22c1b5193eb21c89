// Buffers and sub-buffers with flags that restrict the access of kernels.
#include "common/opencl.h"

// Flags speak of kernels: the host fills READ_ONLY buffers and reads WRITE_ONLY ones, as every
// program does.
static void Buffers(void) {
  int data[64], result[64];
  for (int i = 0; i < 64; ++i) data[i] = i;
  cl_kernel kernel = NewKernel(
      "kernel void twice(global const int* restrict in, global int* restrict out) {"
      "  out[get_global_id(0)] = 2 * in[get_global_id(0)];"
      "}",
      "twice");
  cl_mem in = MADE(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, sizeof(data),
                                  NULL, &error));
  cl_mem more = MADE(
      clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error));
  cl_mem out = MADE(clCreateBuffer(context, CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY, sizeof(data),
                                   NULL, &error));
  OK(clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  OK(clEnqueueWriteBuffer(queue, more, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(in), &in));
  OK(clSetKernelArg(kernel, 1, sizeof(out), &out));
  const size_t items = 64;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof(more), &more));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%d\n", result[63]);
  RELEASE(out, more, in, kernel);
}

// Sub-buffers that restrict the access of their parent, or repeat it, and that end with it.
static void SubBuffers(void) {
  static const cl_mem_flags kFlags[][2] = {
      {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY},
      {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS},
      {0, CL_MEM_READ_WRITE},
      {CL_MEM_READ_ONLY, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY},
      {CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_READ_ONLY},
      {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_NO_ACCESS},
      {CL_MEM_HOST_NO_ACCESS, CL_MEM_READ_ONLY},
      {CL_MEM_ALLOC_HOST_PTR, 0},
  };
  for (size_t i = 0; i < sizeof(kFlags) / sizeof(kFlags[0]); ++i) {
    cl_mem parent = MADE(clCreateBuffer(context, kFlags[i][0], 8192, NULL, &error));
    const cl_buffer_region part = {4096, 4096};
    cl_mem half = MADE(clCreateSubBuffer(parent, kFlags[i][1], CL_BUFFER_CREATE_TYPE_REGION, &part, &error));
    OK(clReleaseMemObject(parent));
    OK(clReleaseMemObject(half));
  }
}

int main(void) {
  Open(0);
  Buffers();
  SubBuffers();
  Close();
}
