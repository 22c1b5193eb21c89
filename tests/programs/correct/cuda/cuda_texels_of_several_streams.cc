// Kernels of two streams write different texels of one array, read it at the same time, and sample
// one row while a copy on another stream uploads other rows.
#include "common/cuda_texels.h"

static void Launch(CUfunction kernel, unsigned threads, CUstream stream, void** arguments) {
  OK(cuLaunchKernel(kernel, 1, 1, 1, threads, 1, 1, 0, stream, arguments, nullptr));
}

int main() {
  Open();
  CUstream first = NewStream(), second = NewStream();
  CUarray array = NewTexels(CUDA_ARRAY3D_SURFACE_LDST);
  const CUDA_RESOURCE_DESC resource = OfArray(array);
  CUtexObject texture = NewTexture(resource);
  CUsurfObject surface;
  OK(cuSurfObjectCreate(&surface, &resource));
  CUdeviceptr outs[] = {NewZeros(64 * sizeof(float)), NewZeros(64 * sizeof(float))};
  float* host = (float*)NewPinned(64 * sizeof(float));
  CUfunction read = TexelKernel(KERNEL_READ_TEXTURE), write = TexelKernel(KERNEL_WRITE_SURFACE);
  float value = 2;
  int width = 8;
  void* writes[] = {&surface, &value, &width};
  void* reads[2][3] = {{&texture, &outs[0], &width}, {&texture, &outs[1], &width}};
  OK(cuCtxSynchronize());
  // The last rows are uploaded while the first row is written and sampled.
  CUDA_MEMCPY2D rows = {};
  rows.srcMemoryType = CU_MEMORYTYPE_HOST;
  rows.srcHost = host;
  rows.srcPitch = rows.WidthInBytes = 8 * sizeof(float);
  rows.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  rows.dstArray = array;
  rows.dstY = 4;
  rows.Height = 4;
  Launch(write, 8, first, writes);
  OK(cuMemcpy2DAsync(&rows, second));
  Launch(read, 8, first, reads[0]);
  OK(cuCtxSynchronize());
  Launch(read, 64, first, reads[0]);
  Launch(read, 64, second, reads[1]);
  OK(cuCtxSynchronize());
  for (CUdeviceptr out : outs) {
    float result[64];
    OK(cuMemcpyDtoH(result, out, sizeof(result)));
    CHECK(result[7] == 2);
    CHECK(result[32] == 0);
  }
  OK(cuSurfObjectDestroy(surface));
  OK(cuTexObjectDestroy(texture));
  Close(array, outs[0], outs[1], host, first, second);
}
