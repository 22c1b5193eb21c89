// Arrays of one, two and three dimensions, uploaded, copied among themselves and downloaded.
#include "common/cudart.h"

int main() {
  static float data[32 * 32], result[32 * 32];
  for (int i = 0; i < 1024; ++i) data[i] = i;
  const cudaChannelFormatDesc format =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t plane, other, volume;
  OK(cudaMallocArray(&plane, &format, 32, 32, 0));
  OK(cudaMallocArray(&other, &format, 32, 32, cudaArraySurfaceLoadStore));
  OK(cudaMemcpy2DToArray(plane, 0, 0, data, 32 * 4, 32 * 4, 32, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2DArrayToArray(other, 0, 0, plane, 0, 0, 32 * 4, 32, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy2DFromArray(result, 32 * 4, other, 0, 0, 32 * 4, 32, cudaMemcpyDeviceToHost));
  CHECK(memcmp(data, result, sizeof(data)) == 0);
  const cudaExtent extent = {16, 16, 4};
  OK(cudaMalloc3DArray(&volume, &format, extent, 0));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = cudaPitchedPtr{data, 16 * 4, 16, 16};
  copy.dstArray = volume;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = plane;
  cudaTextureDesc sampling = {};
  cudaTextureObject_t texture;
  OK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  OK(cudaDestroyTextureObject(texture));
  resource.res.array.array = other;
  cudaSurfaceObject_t surface;
  OK(cudaCreateSurfaceObject(&surface, &resource));
  OK(cudaDestroySurfaceObject(surface));
  OK(cudaFreeArray(volume));
  OK(cudaFreeArray(other));
  OK(cudaFreeArray(plane));
  Close();
}
