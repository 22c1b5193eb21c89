// Programs download the written part of an allocation that is larger, or all of it after every part
// was written, or whole rows with their padding.
#include "common/cuda.h"

int main() {
  Open();
  static char data[4096], result[1 << 16];
  CUdeviceptr capacity = NewMemory(4096), quarters = NewMemory(4096), odd = NewMemory(3000);
  OK(cuMemcpyHtoD(capacity, data, 1024));
  OK(cuMemcpyDtoH(result, capacity, 1024));
  for (int i = 0; i < 4; ++i) OK(cuMemsetD8(quarters + i * 1024, i, 1024));
  OK(cuMemcpyDtoH(result, quarters, 4096));
  OK(cuMemcpyHtoD(odd, data, 2000));
  OK(cuMemcpyDtoH(result, odd, 2500));
  CUdeviceptr image;
  size_t pitch;
  OK(cuMemAllocPitch(&image, &pitch, 256, 16, 4));
  OK(cuMemsetD2D8(image, pitch, 0, 256, 16));
  if (pitch * 16 <= sizeof(result)) OK(cuMemcpyDtoH(result, image, pitch * 16));
  Close(image, odd, quarters, capacity);
}
