// A process forks before it uses the driver; both go their own ways.
#include <sys/wait.h>
#include <unistd.h>

#include "common/cuda.h"

static void Work() {
  Open();
  static char result[4096];
  CUdeviceptr buffer = NewZeros(4096);
  OK(cuMemcpyDtoH(result, buffer, 4096));
  Close(buffer);
}

int main() {
  const pid_t child = fork();
  Work();
  if (child == 0) return 0;
  int status = 1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}
