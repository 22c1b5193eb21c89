// Nodes of graphs in the primary context, for cases that are not about how the nodes are made.
#pragma once

#include "common/cuda.h"

// A kernel with a grid and blocks of one dimension.
[[maybe_unused]] static CUDA_KERNEL_NODE_PARAMS KernelNode(CUfunction function, void** arguments,
                                                           unsigned blocks, unsigned threads) {
  CUDA_KERNEL_NODE_PARAMS kernel = {};
  kernel.func = function;
  kernel.gridDimX = blocks;
  kernel.blockDimX = threads;
  kernel.gridDimY = kernel.gridDimZ = kernel.blockDimY = kernel.blockDimZ = 1;
  kernel.kernelParams = arguments;
  return kernel;
}

// An allocation of memory of the device.
[[maybe_unused]] static CUDA_MEM_ALLOC_NODE_PARAMS MemoryNode(size_t bytes) {
  CUDA_MEM_ALLOC_NODE_PARAMS memory = {};
  memory.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  memory.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  memory.poolProps.location.id = device;
  memory.bytesize = bytes;
  return memory;
}

// `bytes` bytes are set to `value`.
[[maybe_unused]] static CUDA_MEMSET_NODE_PARAMS FillNode(CUdeviceptr to, unsigned value,
                                                         size_t bytes) {
  CUDA_MEMSET_NODE_PARAMS fill = {};
  fill.dst = to;
  fill.value = value;
  fill.elementSize = 1;
  fill.width = bytes;
  fill.height = 1;
  return fill;
}

[[maybe_unused]] static CUDA_MEMCPY3D UploadNode(CUdeviceptr to, const void* from, size_t bytes) {
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = from;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = to;
  copy.WidthInBytes = bytes;
  copy.Height = copy.Depth = 1;
  return copy;
}

[[maybe_unused]] static CUDA_MEMCPY3D DownloadNode(void* to, CUdeviceptr from, size_t bytes) {
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = from;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = to;
  copy.WidthInBytes = bytes;
  copy.Height = copy.Depth = 1;
  return copy;
}

// `behind`: the one node that it depends on; nullptr: none. Fills 4096 B.
[[maybe_unused]] static CUgraphNode AddFill(CUgraph graph, const CUgraphNode* behind,
                                            CUdeviceptr to, unsigned value) {
  const CUDA_MEMSET_NODE_PARAMS fill = FillNode(to, value, 4096);
  CUgraphNode node;
  OK(cuGraphAddMemsetNode(&node, graph, behind, behind != nullptr, &fill, context));
  return node;
}

// A kernel of one block of 64 threads.
[[maybe_unused]] static CUgraphNode AddKernel(CUgraph graph, const CUgraphNode* behind,
                                              CUfunction function, void** arguments) {
  const CUDA_KERNEL_NODE_PARAMS kernel = KernelNode(function, arguments, 1, 64);
  CUgraphNode node;
  OK(cuGraphAddKernelNode(&node, graph, behind, behind != nullptr, &kernel));
  return node;
}
