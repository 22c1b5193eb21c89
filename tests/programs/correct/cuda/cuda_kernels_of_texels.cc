// Kernels read and write texels. Arrays are destroyed behind the last kernel and in front of their
// objects, a handle is used again for another object, memory of a texture is freed and allocated
// again at the same address, and a kernel that reads no texture gets a number that equals a handle.
#include "common/cuda_texels.h"

static void Read(CUfunction kernel, CUtexObject texture, CUdeviceptr out, float wanted) {
  int width = 8;
  void* arguments[] = {&texture, &out, &width};
  OK(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  float result[64];
  OK(cuMemcpyDtoH(result, out, sizeof(result)));
  for (const float one : result) CHECK(one == wanted);
}

int main() {
  Open();
  CUfunction read = TexelKernel(KERNEL_READ_TEXTURE), write = TexelKernel(KERNEL_WRITE_SURFACE);
  CUmodule others;
  CUfunction poke;
  OK(cuModuleLoadData(&others, kKernels));
  OK(cuModuleGetFunction(&poke, others, KERNEL_POKE));
  CUdeviceptr out = NewMemory(64 * sizeof(float));
  for (int round = 0; round < 3; ++round) {
    CUarray array = NewTexels(CUDA_ARRAY3D_SURFACE_LDST);
    const CUDA_RESOURCE_DESC resource = OfArray(array);
    CUtexObject texture = NewTexture(resource);
    Read(read, texture, out, 1);
    CUsurfObject surface;
    OK(cuSurfObjectCreate(&surface, &resource));
    float value = 3;
    int width = 8;
    void* arguments[] = {&surface, &value, &width};
    OK(cuLaunchKernel(write, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    Read(read, texture, out, 3);
    OK(cuArrayDestroy(array));
    if (texture < 16) {
      long long number = (long long)texture;
      void* numbers[] = {&out, &number};
      OK(cuLaunchKernel(poke, 1, 1, 1, 1, 1, 1, 0, nullptr, numbers, nullptr));
    }
    OK(cuSurfObjectDestroy(surface));
    OK(cuTexObjectDestroy(texture));
  }
  CUdeviceptr memory, again;
  size_t pitch;
  OK(cuMemAllocPitch(&memory, &pitch, 8 * sizeof(float), 8, 4));
  OK(cuMemsetD8(memory, 0, pitch * 8));
  CUtexObject texture = NewTexture(OfRows(memory, pitch));
  Read(read, texture, out, 0);
  OK(cuCtxSynchronize());
  OK(cuMemFree(memory));
  OK(cuMemAllocPitch(&again, &pitch, 8 * sizeof(float), 8, 4));
  OK(cuMemsetD8(again, 0, pitch * 8));
  if (again == memory) Read(read, texture, out, 0);
  OK(cuMemFree(again));
  OK(cuTexObjectDestroy(texture));
  OK(cuModuleUnload(others));
  Close(out);
}
