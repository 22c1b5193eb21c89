// Memory is accessible when the transfer begins, which waits for a semaphore of another API.
#define _GNU_SOURCE
#include <sys/mman.h>

#include "common/extensions.h"

enum { kBytes = 64 * 1024 };

int main(void) {
  OpenExtensions(0);
  LOAD(clCreateSemaphoreWithPropertiesKHR);
  LOAD(clEnqueueWaitSemaphoresKHR);
  LOAD(clRetainSemaphoreKHR);
  LOAD(clReleaseSemaphoreKHR);
  const cl_semaphore_properties_khr imported[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
                                                  CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, 5, 0};
  cl_semaphore_khr semaphore = MADE(load_clCreateSemaphoreWithPropertiesKHR(context, imported, &error));
  const int zero = 0;
  cl_mem buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  OK(clEnqueueFillBuffer(queue, buffer, &zero, sizeof(zero), 0, kBytes, 0, NULL, NULL));
  OK(clFinish(queue));
  char* memory = mmap(NULL, kBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) abort();
  OK(load_clEnqueueWaitSemaphoresKHR(queue, 1, &semaphore, NULL, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, kBytes, memory, 0, NULL, NULL));
  if (mprotect(memory, kBytes, PROT_READ | PROT_WRITE) != 0) abort();
  // The other API signals the semaphore (common/extension_layer.cc).
  OK(load_clRetainSemaphoreKHR(semaphore));
  OK(clFinish(queue));
  munmap(memory, kBytes);
  OK(load_clReleaseSemaphoreKHR(semaphore));
  OK(load_clReleaseSemaphoreKHR(semaphore));
  CLOSE(buffer);
}
