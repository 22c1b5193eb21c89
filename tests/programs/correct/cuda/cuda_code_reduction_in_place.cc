// Two streams reduce disjoint halves of one buffer in place: each step adds the upper half of what
// is left to the lower half.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream streams[2] = {NewStream(), NewStream()};
  CUfunction halves = CodeKernel(CODE_HALVES);
  static float ones[2048];
  for (float& one : ones) one = 1;
  CUdeviceptr data = NewMemory(sizeof(ones));
  OK(cuMemcpyHtoD(data, ones, sizeof(ones)));
  for (int count = 512; count > 0; count /= 2) {
    for (int i = 0; i < 2; ++i) {
      CUdeviceptr own = data + i * 4096u;
      void* arguments[] = {&own, &count};
      OK(cuLaunchKernel(halves, 2, 1, 1, 256, 1, 1, 0, streams[i], arguments, nullptr));
    }
  }
  OK(cuCtxSynchronize());
  float sum;
  OK(cuMemcpyDtoH(&sum, data + 4096, 4));
  CHECK(sum == 1024);
  OK(cuMemFree(data));
  for (CUstream stream : streams) OK(cuStreamDestroy(stream));
  Close();
}
