// Two buffers and two streams: while one is computed, the other is filled; events hand them
// over.
#include "common/cuda.h"

int main() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream copying = NewStream(), computing = NewStream();
  CUevent filled[2] = {NewEvent(), NewEvent()}, done[2] = {NewEvent(), NewEvent()};
  CUdeviceptr buffers[2] = {NewMemory(4096), NewMemory(4096)};
  float *data[2] = {(float*)NewPinned(4096), (float*)NewPinned(4096)},
        *result = (float*)NewPinned(4096);
  for (int round = 0; round < 8; ++round) {
    const int i = round % 2;
    if (round >= 2) OK(cuEventSynchronize(filled[i]));  // the host may write the block again
    for (int j = 0; j < 1024; ++j) data[i][j] = round;
    if (round >= 2) OK(cuStreamWaitEvent(copying, done[i], 0));
    OK(cuMemcpyHtoDAsync(buffers[i], data[i], 4096, copying));
    OK(cuEventRecord(filled[i], copying));
    OK(cuStreamWaitEvent(computing, filled[i], 0));
    void* arguments[] = {&buffers[i]};
    OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, computing, arguments, nullptr));
    OK(cuMemcpyDtoHAsync(result, buffers[i], 4096, computing));
    OK(cuEventRecord(done[i], computing));
  }
  OK(cuCtxSynchronize());
  CHECK(result[0] == 14);
  OK(cuMemFreeHost(result));
  for (int i = 0; i < 2; ++i) {
    OK(cuMemFreeHost(data[i]));
    OK(cuMemFree(buffers[i]));
    OK(cuEventDestroy(done[i]));
    OK(cuEventDestroy(filled[i]));
  }
  Close(computing, copying);
}
