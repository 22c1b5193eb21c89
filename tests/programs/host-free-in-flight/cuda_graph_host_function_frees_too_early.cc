// Defect: A host function of a graph frees the block that another node uploads, and no edge leads
// from the upload to the function.
// Fix: An edge leads from the upload to the function.
// EXPECT error host-free-in-flight free at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-PARTY host-block at BLOCK
#include "common/cuda_graphs.h"

static void CUDA_CB Release(void* block) {
  // @HERE
  free(block);
}

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(65536);
  // @BLOCK
  void* block = calloc(1, 65536);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEMCPY3D upload = UploadNode(buffer, block, 65536);
  CUDA_HOST_NODE_PARAMS release = {Release, block};
  CUgraphNode first, second;
  OK(cuGraphAddMemcpyNode(&first, graph, nullptr, 0, &upload, context));
#ifdef DEFECT
  const size_t edges = 0;
#else
  const size_t edges = 1;
#endif
  OK(cuGraphAddHostNode(&second, graph, &first, edges, &release));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @LAUNCH
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Close(executable, graph, buffer, stream);
}
