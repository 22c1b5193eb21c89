// Two processes order their streams by events of each other: the first one's second stream is
// behind its own first one only by way of the other process.
#include <sys/wait.h>
#include <unistd.h>

#include "common/cuda.h"

struct Shared {
  CUipcMemHandle memory;
  CUipcEventHandle filled, taken;
};

static void Send(int to, const void* what, size_t bytes) {
  CHECK(write(to, what, bytes) == (ssize_t)bytes);
}
static void Receive(int from, void* what, size_t bytes) {
  CHECK(read(from, what, bytes) == (ssize_t)bytes);
}

static int Child(int from, int to) {
  Shared shared;
  char word;
  if (read(from, &shared, sizeof(shared)) != sizeof(shared)) return 0;
  Open();
  CUdeviceptr memory;
  CUevent filled, taken;
  OK(cuIpcOpenMemHandle(&memory, shared.memory, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  OK(cuIpcOpenEventHandle(&filled, shared.filled));
  OK(cuIpcOpenEventHandle(&taken, shared.taken));
  CUstream stream = NewStream();
  char* mine = NewPinned(4096);
  Send(to, "o", 1);
  Receive(from, &word, 1);  // it has recorded `filled`
  OK(cuStreamWaitEvent(stream, filled, 0));
  OK(cuMemcpyDtoHAsync(mine, memory, 4096, stream));
  OK(cuEventRecord(taken, stream));
  Send(to, "t", 1);
  OK(cuStreamSynchronize(stream));
  CHECK(mine[0] == 3);
  OK(cuEventDestroy(taken));
  OK(cuEventDestroy(filled));
  OK(cuIpcCloseMemHandle(memory));
  Close(mine, stream);
  return 0;
}

int main() {
  int there[2], back[2];
  CHECK(pipe(there) == 0 && pipe(back) == 0);
  const pid_t child = fork();
  if (child == 0) {
    close(there[1]);
    return Child(there[0], back[1]);
  }
  Open();
  Shared shared;
  CUevent filled, taken;
  CUdeviceptr memory = NewMemory(4096), own = NewMemory(4096);
  const unsigned flags = CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING;
  if (cuEventCreate(&filled, flags) != CUDA_SUCCESS ||
      cuEventCreate(&taken, flags) != CUDA_SUCCESS ||
      cuIpcGetEventHandle(&shared.filled, filled) != CUDA_SUCCESS ||
      cuIpcGetEventHandle(&shared.taken, taken) != CUDA_SUCCESS ||
      cuIpcGetMemHandle(&shared.memory, memory) != CUDA_SUCCESS) {
    close(there[1]);
    NEEDS(!"events that processes can share");
  }
  CUstream first = NewStream(), second = NewStream();
  char* result = NewPinned(4096);
  char word;
  Send(there[1], &shared, sizeof(shared));
  Receive(back[0], &word, 1);
  OK(cuMemsetD8Async(own, 4, 4096, first));
  OK(cuMemsetD8Async(memory, 3, 4096, first));
  OK(cuEventRecord(filled, first));
  Send(there[1], "f", 1);
  Receive(back[0], &word, 1);
  OK(cuStreamWaitEvent(second, taken, 0));
  OK(cuMemsetD8Async(memory, 0, 4096, second));
  OK(cuMemcpyDtoHAsync(result, own, 4096, second));
  OK(cuStreamSynchronize(second));
  CHECK(result[0] == 4);
  int status = 1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  Close(taken, filled, result, own, memory, second, first);
}
