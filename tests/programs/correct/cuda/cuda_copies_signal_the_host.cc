// A small copy into page-locked memory tells the host that everything before it in its stream is
// done. The host polls the word, and then uses the data on another stream, on the host, and frees
// page-locked memory, without a wait of the API.
#include <unistd.h>

#include "common/cuda.h"

static void WaitFor(volatile int* flag, int value) {
  while (*flag != value) usleep(1000);
}

int main() {
  Open();
  CUstream work = NewStream(), other = NewStream();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  volatile int* flag = (volatile int*)NewPinned(64);
  CUdeviceptr buffer = NewMemory(4096), word = NewMemory(4);
  memset(data, 3, 4096);
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, work));
  OK(cuMemsetD32Async(word, 7, 1, work));
  OK(cuMemcpyDtoHAsync((void*)flag, word, 4, work));
  WaitFor(flag, 7);
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, other));
  OK(cuStreamSynchronize(other));
  CHECK(result[4095] == 3);
  OK(cuMemFreeHost(data));
  // Round trips that the host counts by a word that the stream sets in host memory.
  for (int turn = 8; turn < 12; ++turn) {
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, work));
    OK(cuMemsetD32Async((CUdeviceptr)flag, turn, 1, work));
    WaitFor(flag, turn);
    OK(cuMemcpyHtoDAsync(buffer, result, 4096, other));
    OK(cuStreamSynchronize(other));
  }
  OK(cuStreamSynchronize(work));
  OK(cuMemFree(buffer));
  OK(cuMemFree(word));
  OK(cuMemFreeHost(result));
  OK(cuMemFreeHost((void*)flag));
  Close(other, work);
}
