// Defect: A graph uploads a block of the host's memory, and the block is freed before the launch.
// Fix: The block is freed behind the last launch.
// EXIT any
// EXPECT error use-after-free cuGraphLaunch at LAUNCH
// EXPECT-PARTY release at FREE
// EXPECT-TEXT source of a copy node
#include "common/cuda_graphs.h"

int main() {
  Open();
  constexpr size_t kBytes = 64 << 10;
  CUstream stream = NewStream();
  CUdeviceptr memory = NewZeros(kBytes);
  char* block = (char*)malloc(kBytes);
  memset(block, 3, kBytes);
  CUgraph graph;
  CUgraphExec executable;
  CUgraphNode node;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEMCPY3D upload = UploadNode(memory, block, kBytes);
  OK(cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &upload, context));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
#ifdef DEFECT
  // @FREE
  free(block);
#endif
  // @LAUNCH
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT
  free(block);
  // A block that has the address of an old one is another block.
  block = (char*)malloc(kBytes);
  memset(block, 4, kBytes);
  upload.srcHost = block;
  OK(cuGraphExecMemcpyNodeSetParams(executable, node, &upload, context));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  free(block);
#endif
  Close(executable, graph, stream, memory);
}
