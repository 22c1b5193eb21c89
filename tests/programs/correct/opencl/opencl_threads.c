// Eight threads, each with a queue, a kernel and buffers of its own, and one buffer that all of
// them only read.
#include <pthread.h>

#include "common/opencl.h"

enum { kThreads = 8, kItems = 256 };

static cl_mem shared_input;
static cl_kernel kernels[kThreads];
static cl_command_queue queues[kThreads];
static int results[kThreads][kItems];

static void* Work(void* argument) {
  const cl_int index = (cl_int)(intptr_t)argument;
  const size_t items = kItems;
  for (int round = 0; round < 10; ++round) {
    cl_int failure;
    cl_mem out = clCreateBuffer(context, 0, sizeof(results[0]), NULL, &failure);
    OK(failure);
    OK(clSetKernelArg(kernels[index], 0, sizeof(shared_input), &shared_input));
    OK(clSetKernelArg(kernels[index], 1, sizeof(out), &out));
    OK(clSetKernelArg(kernels[index], 2, sizeof(index), &index));
    OK(clEnqueueNDRangeKernel(queues[index], kernels[index], 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queues[index], out, CL_TRUE, 0, sizeof(results[0]), results[index], 0,
                           NULL, NULL));
    OK(clReleaseMemObject(out));
  }
  return NULL;
}

int main(void) {
  Open(0);
  static int data[kItems];
  for (int i = 0; i < kItems; ++i) data[i] = i;
  shared_input = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof(data), data, &error));
  pthread_t threads[kThreads];
  for (intptr_t i = 0; i < kThreads; ++i) {
    queues[i] = NewQueue(0);
    kernels[i] = NewKernel(
        "kernel void scale(global const int* in, global int* out, int factor) {"
        "  out[get_global_id(0)] = factor * in[get_global_id(0)];"
        "}",
        "scale");
    if (pthread_create(&threads[i], NULL, Work, (void*)i) != 0) abort();
  }
  for (int i = 0; i < kThreads; ++i) {
    pthread_join(threads[i], NULL);
    printf("%d\n", results[i][kItems - 1]);
    OK(clReleaseKernel(kernels[i]));
    OK(clReleaseCommandQueue(queues[i]));
  }
  CLOSE(shared_input);
}
