// A program for the tests with sanitizers: makes one error for a sanitizer or for gpusan.
//
//   sanitized clean|gpu|heap|race|integer|bits
#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBytes = 4096 };
static int shared;

static void* Count(void* unused) {
  for (int i = 0; i < 1000; ++i) ++shared;
  return unused;
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "";
  cl_platform_id platform = NULL;
  cl_device_id device = NULL;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
    return 77;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, kBytes, NULL, NULL);
  char* text = malloc(2 * kBytes);
  memset(text, 1, 2 * kBytes);
  const size_t bytes = strcmp(way, "gpu") == 0 ? 2 * kBytes : kBytes;
  clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, text, 0, NULL, NULL);
  clReleaseMemObject(buffer);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  if (strcmp(way, "race") == 0) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, Count, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  }
  if (strcmp(way, "integer") == 0) {
    volatile int big = 0x7fffffff;
    big = big + argc;
  }
  if (strcmp(way, "bits") == 0) {
    int* unset = malloc(2 * sizeof(int));
    if (unset[argc & 1] == 3) printf("three\n");
    free(unset);
  }
  const volatile char* read = text;
  free(text);
  if (strcmp(way, "heap") == 0) printf("%d\n", read[3]);
  printf("done\n");
  return 0;
}
