// Several buffers use the same host memory, but no command writes one of them and uses another one: a kernel reads two
// overlapping windows, and a copy uses two sub-buffers of one buffer.
#include "common/opencl.h"

static float memory[2048] __attribute__((aligned(4096)));

int main(void) {
  Open(0);
  cl_mem first =
      MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, 4096, memory, &error));
  cl_mem second = MADE(
      clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, 4096, memory + 512, &error));
  cl_mem sum = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  cl_kernel kernel = NewKernel(
      "kernel void add(global const float* a, global const float* b, global float* sum) {"
      "  size_t i = get_global_id(0);"
      "  sum[i] = a[i] + b[i];"
      "}",
      "add");
  OK(clSetKernelArg(kernel, 0, sizeof(first), &first));
  OK(clSetKernelArg(kernel, 1, sizeof(second), &second));
  OK(clSetKernelArg(kernel, 2, sizeof(sum), &sum));
  const size_t items = 1024;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  OK(clReleaseMemObject(second));
  OK(clReleaseMemObject(first));
  cl_mem all = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(memory), memory, &error));
  cl_mem parts[2];
  for (int i = 0; i < 2; ++i) {
    const cl_buffer_region region = {(size_t)i * 4096, 4096};
    parts[i] = MADE(clCreateSubBuffer(all, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  }
  OK(clEnqueueCopyBuffer(queue, parts[0], parts[1], 0, 0, 4096, 0, NULL, NULL));
  OK(clFinish(queue));
  for (int i = 0; i < 2; ++i) OK(clReleaseMemObject(parts[i]));
  CLOSE(all, kernel, sum);
}
