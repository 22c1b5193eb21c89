// Children that use no OpenCL of their own: one leaves at once, one runs exit handlers while the
// parent's objects live.
#include <sys/wait.h>
#include <unistd.h>

#include "common/opencl.h"

int main(void) {
  Open(0);
  static char data[1024];
  cl_mem buffer = MADE(clCreateBuffer(context, 0, sizeof(data), NULL, &error));
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  for (int i = 0; i < 2; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      if (i == 0) _exit(0);
      free(malloc(100000));
      _exit(execl("/bin/true", "true", NULL));
    }
    int status;
    if (waitpid(child, &status, 0) != child || status != 0) abort();
  }
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL));
  CLOSE(buffer);
}
