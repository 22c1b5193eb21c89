// Defect: A grid of 6 blocks is launched in clusters of 4 blocks.
// Fix: A grid of 8 blocks is launched in clusters of 4 blocks.
// EXPECT warning call-failed cuLaunchKernelEx CUDA_ERROR_INVALID_CLUSTER_SIZE at HERE
// EXPECT-TEXT the grid is 6 x 1 x 1 blocks and the cluster 4 x 1 x 1
#include "common/cuda.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) >= 9);
  CUfunction nothing = Kernel(KERNEL_NOTHING);
  unsigned blocks = 8;
#ifdef DEFECT
  blocks = 6;
#endif
  CUlaunchAttribute cluster = {};
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim.x = 4;
  cluster.value.clusterDim.y = cluster.value.clusterDim.z = 1;
  CUlaunchConfig config = {};
  config.gridDimX = blocks;
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 32;
  config.blockDimY = config.blockDimZ = 1;
  config.attrs = &cluster;
  config.numAttrs = 1;
  // @HERE
  cuLaunchKernelEx(&config, nothing, nullptr, nullptr);
  OK(cuCtxSynchronize());
  Close();
}
