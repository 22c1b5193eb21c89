// The first call of the program that needs a context allocates memory from a pool, and that of
// another process frees memory. The runtime calls the driver before it makes a context, and repeats
// the calls.
#include <sys/wait.h>
#include <unistd.h>

#include "common/cudart.h"

int main() {
  const pid_t child = fork();
  if (child == 0) {
    OK(cudaFreeAsync(nullptr, nullptr));
    Close();
    return 0;
  }
  int status = 1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  cudaMemPool_t pool;
  void* buffer;
  OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  OK(cudaMallocFromPoolAsync(&buffer, 65536, pool, nullptr));
  OK(cudaMemsetAsync(buffer, 1, 65536, nullptr));
  OK(cudaFreeAsync(buffer, nullptr));
  OK(cudaStreamSynchronize(nullptr));
  Close();
}
