// Kernels of two streams write rows of one pitched allocation. One of them counts its rows down from a pointer into the
// allocation: its pitch is negative. The other one has fewer rows than its grid has threads.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction write = CodeKernel(CODE_PITCHED);
  CUdeviceptr rows;
  OK(cuMemAlloc(&rows, 32 * 512));
  CUstream up, down;
  OK(cuStreamCreate(&up, CU_STREAM_NON_BLOCKING));
  OK(cuStreamCreate(&down, CU_STREAM_NON_BLOCKING));
  int width = 128, height = 16;
  long long pitch = 512, back = -512;
  CUdeviceptr lower = rows + 16 * 512, last = rows + 15 * 512;
  void* first[] = {&lower, &pitch, &width, &height};
  OK(cuLaunchKernel(write, 4, 6, 1, 32, 4, 1, 0, up, first, nullptr));
  void* second[] = {&last, &back, &width, &height};
  OK(cuLaunchKernel(write, 4, 4, 1, 32, 4, 1, 0, down, second, nullptr));
  OK(cuStreamSynchronize(up));
  OK(cuStreamSynchronize(down));
  Close(rows, up, down);
}
