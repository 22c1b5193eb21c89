// Defect: Two nodes of a graph, one fills what the other downloads, and no edge leads from one to
// the other.
// Fix: Two nodes of a graph, one fills what the other downloads, and an edge leads to the second.
// EXPECT error race cuGraphLaunch at HERE
// EXPECT-FACT hazard=RAW
#include "common/cuda_graphs.h"

int main() {
  Open();
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS fill = FillNode(buffer, 3, 4096);
  CUDA_MEMCPY3D download = DownloadNode(result, buffer, 4096);
  CUgraphNode first, second;
  OK(cuGraphAddMemsetNode(&first, graph, nullptr, 0, &fill, context));
#ifdef DEFECT
  const size_t edges = 0;
#else
  const size_t edges = 1;
#endif
  OK(cuGraphAddMemcpyNode(&second, graph, &first, edges, &download, context));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @HERE
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Close(executable, graph, buffer, result, stream);
}
