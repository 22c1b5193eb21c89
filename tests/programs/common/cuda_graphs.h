// Nodes of graphs, for cases that are not about them: all of 4096 B, in the primary context.
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
