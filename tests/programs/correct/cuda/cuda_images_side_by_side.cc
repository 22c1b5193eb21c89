// Trap: Kernels in two streams write every second image of one buffer, with other sizes in each launch.
// They find their rows by divisions.
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream streams[] = {NewStream(), NewStream()};
  CUfunction image = CodeKernel(CODE_IMAGE);
  const int pitch = 32, images = 12;
  const size_t bytes = 8 * pitch * sizeof(float);
  CUdeviceptr out = NewMemory(images * bytes);
  for (int i = 0; i < images; ++i) {
    CUdeviceptr begin = out + static_cast<CUdeviceptr>(i) * bytes;
    int width = 8 + 2 * i, count = width * 8, row = pitch;
    void* arguments[] = {&begin, &width, &row, &count};
    OK(cuLaunchKernel(image, 2, 1, 1, 128, 1, 1, 0, streams[i % 2], arguments, nullptr));
  }
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  for (CUstream stream : streams) OK(cuStreamDestroy(stream));
  Close();
}
