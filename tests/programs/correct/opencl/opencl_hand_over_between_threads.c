// One thread writes on its queue and finishes it; another, which is told so by a mutex, reads on a
// second queue.
#include <pthread.h>

#include "common/opencl.h"

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

int main(void) {
  Open(0);
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
  CLOSE(buffer, second);
}
