// The callback of a command that has ended frees the host block that the command read.
#include <pthread.h>

#include "common/opencl.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t freed = PTHREAD_COND_INITIALIZER;
static int is_freed;

static void CL_CALLBACK FreeBlock(cl_event event, cl_int status, void* block) {
  (void)event;
  if (status != CL_COMPLETE) abort();
  free(block);
  pthread_mutex_lock(&mutex);
  is_freed = 1;
  pthread_cond_signal(&freed);
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  Open(0);
  char* data = calloc(1, 8192);
  cl_mem buffer = MADE(clCreateBuffer(context, 0, 8192, NULL, &error));
  cl_event written;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 8192, data, 0, NULL, &written));
  OK(clSetEventCallback(written, CL_COMPLETE, FreeBlock, data));
  OK(clFlush(queue));
  pthread_mutex_lock(&mutex);
  while (!is_freed) pthread_cond_wait(&freed, &mutex);
  pthread_mutex_unlock(&mutex);
  OK(clReleaseEvent(written));
  OK(clFinish(queue));
  CLOSE(buffer);
}
