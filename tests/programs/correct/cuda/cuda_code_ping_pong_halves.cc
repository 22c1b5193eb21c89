// A kernel fills one half of a buffer while the other half is downloaded on another stream.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUfunction fill = CodeKernel(CODE_FILL);
  CUdeviceptr data = NewZeros(8192);
  int* result = (int*)NewPinned(8192);
  CUevent filled[2] = {NewEvent(), NewEvent()}, taken[2] = {NewEvent(), NewEvent()};
  for (int round = 0; round < 6; ++round) {
    const int half = round % 2;
    CUdeviceptr part = data + half * 4096;
    int value = round;
    void* arguments[] = {&part, &value};
    if (round >= 2) OK(cuStreamWaitEvent(first, taken[half], 0));
    OK(cuLaunchKernel(fill, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
    OK(cuEventRecord(filled[half], first));
    OK(cuStreamWaitEvent(second, filled[half], 0));
    OK(cuMemcpyDtoHAsync(result + half * 1024, part, 4096, second));
    OK(cuEventRecord(taken[half], second));
  }
  OK(cuCtxSynchronize());
  CHECK(result[0] == 4 && result[2047] == 5);
  for (int i = 0; i < 2; ++i) {
    OK(cuEventDestroy(taken[i]));
    OK(cuEventDestroy(filled[i]));
  }
  Close(result, data, second, first);
}
