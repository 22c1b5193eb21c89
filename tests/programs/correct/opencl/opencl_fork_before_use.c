// Parent and child each use OpenCL after the fork.
#include <sys/wait.h>
#include <unistd.h>

#include "common/opencl.h"

int main(void) {
  const pid_t child = fork();
  Open(0);
  char data[2048];
  memset(data, child ? 'p' : 'c', sizeof(data));
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  CLOSE(buffer);
  int status = 0;
  if (child && (waitpid(child, &status, 0) != child || status != 0)) abort();
  return 0;
}
