// Threads have queues, kernels and buffers of their own, share a buffer that all only read, and
// hand over by a mutex.
#include <pthread.h>

#include "common/opencl.h"

// Eight threads, each with a queue, a kernel and buffers of its own, and one buffer that all of
// them only read.
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

static void Threads(void) {
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
  RELEASE(shared_input);
}

// One thread writes on its queue and finishes it; another, which is told so by a mutex, reads on a
// second queue.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_written;
static cl_mem buffer;

static void* Write(void* argument) {
  (void)argument;
  static char data[4096];
  memset(data, 'h', sizeof(data));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof(data), data, 0, NULL, NULL));
  OK(clFinish(queue));
  pthread_mutex_lock(&mutex);
  is_written = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void HandOverBetweenThreads(void) {
  cl_command_queue second = NewQueue(0);
  buffer = MADE(clCreateBuffer(context, 0, 4096, NULL, &error));
  pthread_t writer;
  if (pthread_create(&writer, NULL, Write, NULL) != 0) abort();
  pthread_mutex_lock(&mutex);
  while (!is_written) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  char result[4096];
  OK(clEnqueueReadBuffer(second, buffer, CL_TRUE, 0, sizeof(result), result, 0, NULL, NULL));
  printf("%c\n", result[4095]);
  pthread_join(writer, NULL);
  RELEASE(buffer, second);
}

int main(void) {
  Open(0);
  Threads();
  HandOverBetweenThreads();
  Close();
}
