// A sum that kernels of two streams made with atomics is read by a third kernel behind the events
// of both.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream streams[3] = {NewStream(), NewStream(), NewStream()};
  CUfunction sum = CodeKernel(CODE_SUM), copy = CodeKernel(CODE_COPY);
  CUdeviceptr in = NewZeros(8192), total = NewZeros(4), out = NewMemory(4);
  int count = 1024;
  for (int i = 0; i < 2; ++i) {
    CUdeviceptr half = in + i * 4096u;
    void* arguments[] = {&half, &total, &count};
    OK(cuLaunchKernel(sum, 4, 1, 1, 256, 1, 1, 0, streams[i], arguments, nullptr));
    CUevent done;
    OK(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(done, streams[i]));
    OK(cuStreamWaitEvent(streams[2], done, 0));
    OK(cuEventDestroy(done));
  }
  void* arguments[] = {&total, &out};
  OK(cuLaunchKernel(copy, 1, 1, 1, 1, 1, 1, 0, streams[2], arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  OK(cuMemFree(total));
  OK(cuMemFree(in));
  for (CUstream stream : streams) OK(cuStreamDestroy(stream));
  Close();
}
