// Defect: A graph downloads memory that one of its nodes allocates, and nothing orders the download
// before the node that frees the memory.
// Fix: The node that frees the memory depends on the download.
// EXPECT error use-after-free cuGraphLaunch at LAUNCH
// EXPECT-PARTY recorded at DOWNLOAD
// EXPECT-PARTY release at FREE
// EXPECT-TEXT nothing orders it before the node that frees it
// EXIT any
#include "common/cuda_graphs.h"

int main() {
  Open();
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEM_ALLOC_NODE_PARAMS memory = MemoryNode(4096);
  CUgraphNode allocated, filled, downloaded, freed;
  OK(cuGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &memory));
  CUDA_MEMSET_NODE_PARAMS fill = FillNode(memory.dptr, 3, 4096);
  OK(cuGraphAddMemsetNode(&filled, graph, &allocated, 1, &fill, context));
  CUDA_MEMCPY3D download = DownloadNode(result, memory.dptr, 4096);
  // @DOWNLOAD
  OK(cuGraphAddMemcpyNode(&downloaded, graph, &filled, 1, &download, context));
#ifdef DEFECT
  const CUgraphNode* before = &filled;
#else
  const CUgraphNode* before = &downloaded;
#endif
  // @FREE
  OK(cuGraphAddMemFreeNode(&freed, graph, before, 1, memory.dptr));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @LAUNCH
  OK(cuGraphLaunch(executable, stream));
#ifdef DEFECT
  _Exit(0);  // a wait may return the fault
#endif
  OK(cuStreamSynchronize(stream));
  Close(executable, graph, result, stream);
}
