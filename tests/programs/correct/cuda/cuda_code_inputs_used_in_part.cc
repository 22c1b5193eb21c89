// Inputs are written in part, and kernels with a thread for each element use the written part: a
// mask selects it, elements are doubled, or the rest is the padding of rows or of the last block.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUfunction masked = CodeKernel(CODE_MASKED), doubled = CodeKernel(CODE_DOUBLED),
             add = CodeKernel(CODE_ADD);
  static float data[1024];
  static unsigned char mask[1024];
  for (int i = 0; i < 256; ++i) mask[i] = 1;
  CUdeviceptr selected = NewMemory(4096), half = NewMemory(4096), blocks = NewMemory(4096), rows,
              masks = NewMemory(1024), out = NewZeros(4096);
  size_t pitch;
  OK(cuMemAllocPitch(&rows, &pitch, 400, 8, 4));
  CHECK(pitch > 400 && pitch * 8 <= 4096);
  OK(cuMemcpyHtoD(masks, mask, 1024));
  OK(cuMemcpyHtoD(selected, data, 1024));
  OK(cuMemcpyHtoD(half, data, 2048));
  OK(cuMemcpyHtoD(blocks, data, 4000));
  OK(cuMemsetD2D32(rows, pitch, 0, 100, 8));
  void* by_mask[] = {&selected, &masks, &out};
  OK(cuLaunchKernel(masked, 4, 1, 1, 256, 1, 1, 0, nullptr, by_mask, nullptr));
  int n = 1024;
  void* by_half[] = {&half, &out, &n};
  OK(cuLaunchKernel(doubled, 4, 1, 1, 256, 1, 1, 0, nullptr, by_half, nullptr));
  void* last_block[] = {&blocks, &blocks, &out, &n};
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, last_block, nullptr));
  n = (int)(pitch * 8 / 4);
  void* flat[] = {&rows, &rows, &out, &n};
  OK(cuLaunchKernel(add, (unsigned)n / 128, 1, 1, 128, 1, 1, 0, nullptr, flat, nullptr));
  OK(cuCtxSynchronize());
  Close(out, masks, rows, blocks, half, selected);
}
