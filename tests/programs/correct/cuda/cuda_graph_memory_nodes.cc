// A graph allocates memory, fills it, downloads it and frees it; it is launched more than once.
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
  OK(cuGraphAddMemcpyNode(&downloaded, graph, &filled, 1, &download, context));
  OK(cuGraphAddMemFreeNode(&freed, graph, &downloaded, 1, memory.dptr));
  OK(cuGraphInstantiate(&executable, graph, 0));
  for (int round = 0; round < 3; ++round) {
    OK(cuGraphLaunch(executable, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(result[4095] == 3);
  }
  Close(executable, graph, result, stream);
}
