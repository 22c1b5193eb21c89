/* Two threads whose every call is a finding, without end: for kill_storm.py. */
#include <pthread.h>

#include "programs/common/opencl.h"

static cl_mem buffer;

static void* Storm(void* nothing) {
  static char data[64];
  cl_command_queue own = NewQueue(0);
  for (;;) {
    /* One byte past the end. */
    FAILS(CL_INVALID_VALUE,
          clEnqueueReadBuffer(own, buffer, CL_TRUE, 1, sizeof(data), data, 0, NULL, NULL));
  }
  return nothing;
}

int main(void) {
  Open(0);
  buffer = MADE(clCreateBuffer(context, 0, 64, NULL, &error));
  pthread_t thread;
  pthread_create(&thread, NULL, Storm, NULL);
  Storm(NULL);
}
