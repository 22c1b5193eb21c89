// Nodes of graphs, for cases that are not about them, in the primary context. Copies and fills have 4096 B.
#pragma once

#include "common/cuda.h"

// `behind`: the one node that it depends on; nullptr: none.
[[maybe_unused]] static CUgraphNode AddFill(CUgraph graph, const CUgraphNode* behind,
                                            CUdeviceptr to, unsigned value) {
  CUDA_MEMSET_NODE_PARAMS fill = {};
  fill.dst = to;
  fill.value = value;
  fill.elementSize = 1;
  fill.width = 4096;
  fill.height = 1;
  CUgraphNode node;
  OK(cuGraphAddMemsetNode(&node, graph, behind, behind != nullptr, &fill, context));
  return node;
}

// A kernel of one block of 64 threads.
[[maybe_unused]] static CUgraphNode AddKernel(CUgraph graph, const CUgraphNode* behind,
                                              CUfunction function, void** arguments) {
  CUDA_KERNEL_NODE_PARAMS kernel = {};
  kernel.func = function;
  kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = 64;
  kernel.blockDimY = kernel.blockDimZ = 1;
  kernel.kernelParams = arguments;
  CUgraphNode node;
  OK(cuGraphAddKernelNode(&node, graph, behind, behind != nullptr, &kernel));
  return node;
}
