// A graph allocates what the stream then uses and another graph frees; a graph whose memory
// outlives its launch is launched again after a free in stream order, and with the flag that frees
// by itself.
#include "common/cuda_graphs.h"

static CUdeviceptr AddAllocation(CUgraph graph, CUgraphNode* node) {
  CUDA_MEM_ALLOC_NODE_PARAMS memory = MemoryNode(4096);
  OK(cuGraphAddMemAllocNode(node, graph, nullptr, 0, &memory));
  return memory.dptr;
}

int main() {
  Open();
  CUstream stream = NewStream(), other = NewStream();
  CUevent made = NewEvent();
  char* result = NewPinned(4096);
  CUgraph making, taking;
  CUgraphNode allocated, filled, freed;
  OK(cuGraphCreate(&making, 0));
  const CUdeviceptr memory = AddAllocation(making, &allocated);
  AddFill(making, &allocated, memory, 3);
  OK(cuGraphCreate(&taking, 0));
  filled = AddFill(taking, nullptr, memory, 4);
  OK(cuGraphAddMemFreeNode(&freed, taking, &filled, 1, memory));
  CUgraphExec make, take;
  OK(cuGraphInstantiate(&make, making, 0));
  OK(cuGraphInstantiate(&take, taking, 0));
  for (int round = 0; round < 2; ++round) {
    OK(cuGraphLaunch(make, stream));
    OK(cuMemcpyDtoHAsync(result, memory, 4096, stream));
    OK(cuEventRecord(made, stream));
    OK(cuStreamWaitEvent(other, made, 0));
    OK(cuGraphLaunch(take, other));
    OK(cuStreamSynchronize(other));
    CHECK(result[0] == 3);
  }
  OK(cuGraphLaunch(make, stream));
  OK(cuMemcpyDtoHAsync(result, memory, 4096, stream));
  OK(cuMemFreeAsync(memory, stream));
  OK(cuGraphLaunch(make, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemFree(memory));
  OK(cuGraphExecDestroy(take));
  OK(cuGraphExecDestroy(make));
  OK(cuGraphDestroy(taking));
  OK(cuGraphInstantiate(&make, making, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
  for (int round = 0; round < 3; ++round) {
    OK(cuGraphLaunch(make, stream));
    OK(cuMemcpyDtoHAsync(result, memory, 4096, stream));
  }
  OK(cuStreamSynchronize(stream));
  CHECK(result[0] == 3);
  OK(cuMemFreeAsync(memory, stream));
  OK(cuStreamSynchronize(stream));
  Close(make, making, result, made, other, stream);
}
