// Buffers and sub-buffers restrict the access of kernels, or share one block of host memory.
#include <unistd.h>

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
    cl_mem half =
        MADE(clCreateSubBuffer(parent, kFlags[i][1], CL_BUFFER_CREATE_TYPE_REGION, &part, &error));
    OK(clReleaseMemObject(parent));
    OK(clReleaseMemObject(half));
  }
}

// The memory of CL_MEM_USE_HOST_PTR buffers is the source and the destination of transfers that the
// queue orders, or that only read, and it is freed when the destructor callback or an event says
// that no command uses it.
static volatile int destroyed;

static void CL_CALLBACK OnDestroyed(cl_mem buffer, void* data) {
  (void)buffer;
  (void)data;
  destroyed = 1;
}

static void HostPointersOfBuffers(void) {
  cl_command_queue second = NewQueue(0);
  char *data = aligned_alloc(4096, 4096), *last = aligned_alloc(4096, 4096);
  memset(data, 1, 4096);
  memset(last, 1, 4096);
  cl_mem buffer = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, data, &error));
  cl_mem other = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  const cl_int two = 2;
  // In order: the fill is complete when the write begins, and the read when the copy begins.
  OK(clEnqueueFillBuffer(queue, buffer, &two, sizeof(two), 0, 4096, 0, NULL, NULL));
  OK(clEnqueueWriteBuffer(queue, other, CL_FALSE, 0, 4096, data, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, other, CL_FALSE, 0, 4096, data, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 4096, data, 0, NULL, NULL));
  OK(clEnqueueCopyBuffer(queue, buffer, other, 0, 0, 4096, 0, NULL, NULL));
  OK(clFinish(queue));
  // Two queues that only read the memory.
  cl_mem more = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  OK(clEnqueueCopyBuffer(queue, buffer, other, 0, 0, 4096, 0, NULL, NULL));
  OK(clEnqueueWriteBuffer(second, more, CL_FALSE, 0, 4096, data, 0, NULL, NULL));
  cl_event done;
  OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &done));
  OK(clFinish(second));
  OK(clReleaseMemObject(buffer));
  OK(clWaitForEvents(1, &done));
  OK(clReleaseEvent(done));
  free(data);
  // The callback comes when the last command is complete.
  cl_mem late = MADE(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, last, &error));
  OK(clSetMemObjectDestructorCallback(late, OnDestroyed, NULL));
  OK(clEnqueueFillBuffer(queue, late, &two, sizeof(two), 0, 4096, 0, NULL, NULL));
  OK(clReleaseMemObject(late));
  OK(clFlush(queue));
  while (!destroyed) usleep(1000);
  free(last);
  OK(clFinish(queue));
  RELEASE(more, other, second);
}

// Several buffers use the same host memory, but no command writes one of them and uses another one:
// a kernel reads two overlapping windows, and a copy uses two sub-buffers of one buffer.
static float memory[2048] __attribute__((aligned(4096)));

static void ViewsOfHostMemory(void) {
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
  RELEASE(all, kernel, sum);
}

int main(void) {
  Open(0);
  Buffers();
  SubBuffers();
  HostPointersOfBuffers();
  ViewsOfHostMemory();
  Close();
}
