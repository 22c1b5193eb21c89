// Pitched memory of two and three dimensions, filled, copied whole and in part.
#include "common/cudart.h"

int main() {
  static unsigned char data[30 * 20], result[30 * 20];
  for (int i = 0; i < 600; ++i) data[i] = i;
  void* buffer;
  size_t pitch;
  OK(cudaMallocPitch(&buffer, &pitch, 30, 20));
  OK(cudaMemset2D(buffer, pitch, 0, 30, 20));
  OK(cudaMemcpy2D(buffer, pitch, data, 30, 30, 20, cudaMemcpyHostToDevice));
  OK(cudaMemcpy2D(result, 30, buffer, pitch, 30, 20, cudaMemcpyDeviceToHost));
  CHECK(memcmp(data, result, sizeof(data)) == 0);
  OK(cudaFree(buffer));
  cudaPitchedPtr box;
  const cudaExtent extent = {30, 5, 4};
  OK(cudaMalloc3D(&box, extent));
  OK(cudaMemset3D(box, 0, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = cudaPitchedPtr{data, 30, 30, 5};
  copy.dstPtr = box;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  cudaMemcpy3DParms back = {};
  back.srcPtr = box;
  back.dstPtr = cudaPitchedPtr{result, 30, 30, 5};
  back.extent = extent;
  back.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&back));
  CHECK(memcmp(data, result, sizeof(data)) == 0);
  OK(cudaFree(box.ptr));
  Close();
}
