// Defect: A box of a new three-dimensional allocation is downloaded.
// Fix: A box is downloaded after cudaMemset3D.
// EXPECT warning uninitialized-read cuMemcpy3D_v2|cudaMemcpy3D at HERE
#include "common/cudart.h"

int main() {
  static char result[30 * 5 * 4];
  cudaPitchedPtr box;
  const cudaExtent extent = {30, 5, 4};
  OK(cudaMalloc3D(&box, extent));
#ifndef DEFECT
  OK(cudaMemset3D(box, 0, extent));
#endif
  cudaMemcpy3DParms back = {};
  back.srcPtr = box;
  back.dstPtr = cudaPitchedPtr{result, 30, 30, 5};
  back.extent = extent;
  back.kind = cudaMemcpyDeviceToHost;
  // @HERE
  OK(cudaMemcpy3D(&back));
  OK(cudaFree(box.ptr));
  Close();
}
