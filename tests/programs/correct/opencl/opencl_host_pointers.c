// Several commands and buffers use one block of host memory.
#include <unistd.h>

#include "common/opencl.h"

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

// Several buffers use the same host memory, but no command writes one of them and uses another one: a kernel reads two
// overlapping windows, and a copy uses two sub-buffers of one buffer.
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
  HostPointersOfBuffers();
  ViewsOfHostMemory();
  Close();
}
