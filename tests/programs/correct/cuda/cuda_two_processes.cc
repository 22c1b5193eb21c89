// One process gives memory to another, which fills it; the first takes the result.
#include <sys/wait.h>
#include <unistd.h>

#include "common/cuda.h"

static int Child(int from, int to) {
  CUipcMemHandle handle;
  CHECK(read(from, &handle, sizeof(handle)) == sizeof(handle));
  Open();
  CUdeviceptr memory;
  OK(cuIpcOpenMemHandle(&memory, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  OK(cuMemsetD8(memory, 7, 4096));
  OK(cuCtxSynchronize());
  OK(cuIpcCloseMemHandle(memory));
  Close();
  CHECK(write(to, "x", 1) == 1);
  return 0;
}

int main() {
  int there[2], back[2];
  CHECK(pipe(there) == 0 && pipe(back) == 0);
  const pid_t child = fork();
  if (child == 0) {
    close(there[1]);
    if (Child(there[0], back[1]) != 0) return 1;
    return 0;
  }
  Open();
  CUdeviceptr memory = NewMemory(4096);
  CUipcMemHandle handle;
  if (cuIpcGetMemHandle(&handle, memory) != CUDA_SUCCESS) {
    close(there[1]);
    NEEDS(!"memory that processes can share");
  }
  CHECK(write(there[1], &handle, sizeof(handle)) == sizeof(handle));
  char word;
  CHECK(read(back[0], &word, 1) == 1);
  static char result[4096];
  OK(cuMemcpyDtoH(result, memory, 4096));
  CHECK(result[4095] == 7);
  int status = 1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  Close(memory);
}
