// Takes rights and content from host memory without harm to pending commands: the right to write while a command only
// reads, rights and content before a command that waits for the program, and content that a file restores. A thread ends
// while a command of its own uses memory that lives on, and after a callback saw the end of a command of its stack.
#define _GNU_SOURCE
#include "common/opencl.h"

#include <pthread.h>
#include <sys/mman.h>

enum { kBytes = 8192 };

static cl_mem buffer;
static char* shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int complete;

static char* Map(int flags, int file) {
  char* memory = mmap(NULL, kBytes, PROT_READ | PROT_WRITE, flags, file, 0);
  if (memory == MAP_FAILED) abort();
  return memory;
}

static void CL_CALLBACK Complete(cl_event event, cl_int status, void* unused) {
  (void)event;
  (void)status;
  (void)unused;
  pthread_mutex_lock(&mutex);
  complete = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

static void* Upload(void* unused) {
  (void)unused;
  char data[kBytes];
  memset(data, 2, kBytes);
  cl_event event;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, data, 0, NULL, &event));
  OK(clSetEventCallback(event, CL_COMPLETE, Complete, NULL));
  OK(clReleaseEvent(event));
  OK(clFlush(queue));
  pthread_mutex_lock(&mutex);
  while (!complete) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, shared, 0, NULL, NULL));
  return NULL;
}

int main(void) {
  Open(0);
  buffer = MADE(clCreateBuffer(context, 0, kBytes, NULL, &error));
  cl_event gate = MADE(clCreateUserEvent(context, &error));

  shared = Map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
  memset(shared, 1, kBytes);
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, shared, 0, NULL, NULL));
  mprotect(shared, kBytes, PROT_READ);
  OK(clFinish(queue));
  mprotect(shared, kBytes, PROT_READ | PROT_WRITE);

  FILE* file = tmpfile();
  char bytes[kBytes];
  memset(bytes, 3, kBytes);
  if (file == NULL || fwrite(bytes, 1, kBytes, file) != kBytes || fflush(file) != 0) abort();
  char* mapped = Map(MAP_PRIVATE, fileno(file));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, mapped, 0, NULL, NULL));
  madvise(mapped, kBytes, MADV_DONTNEED);
  OK(clFinish(queue));
  munmap(mapped, kBytes);
  fclose(file);

  pthread_t thread;
  if (pthread_create(&thread, NULL, Upload, NULL) != 0) abort();
  pthread_join(thread, NULL);
  OK(clFinish(queue));

  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, kBytes, shared, 1, &gate, NULL));
  madvise(shared, kBytes, MADV_DONTNEED);
  mprotect(shared, kBytes, PROT_NONE);
  mprotect(shared, kBytes, PROT_READ | PROT_WRITE);
  memset(shared, 4, kBytes);
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(queue));

  munmap(shared, kBytes);
  CLOSE(gate, buffer);
}
