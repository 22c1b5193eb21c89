// Defect: A graph allocates memory, and another stream fills it without an order behind the launch.
// Fix: The other stream waits for an event that is recorded behind the launch.
// EXIT any
// EXPECT error stream-order-alloc cuMemsetD8Async at USE
// EXPECT-PARTY allocation at ALLOCATION
// EXPECT-TEXT not ordered after cuGraphLaunch
// MAY sticky-error
#include "common/cuda_graphs.h"

int main() {
  Open();
  NEEDS(Attribute(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED));
  CUstream stream = NewStream(), other = NewStream();
  CUevent launched = NewEvent();
  CUgraph graph;
  CUgraphExec executable;
  CUgraphNode node;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEM_ALLOC_NODE_PARAMS allocation = MemoryNode(4096);
  // @ALLOCATION
  OK(cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &allocation));
  OK(cuGraphInstantiate(&executable, graph, 0));
  for (int round = 0; round < 2; ++round) {
    OK(cuGraphLaunch(executable, stream));
    OK(cuEventRecord(launched, stream));
#ifdef DEFECT
    if (round == 0)
#endif
      OK(cuStreamWaitEvent(other, launched, 0));
    // @USE
    cuMemsetD8Async(allocation.dptr, 1, 4096, other);
#ifdef DEFECT
    if (round == 1) _Exit(0);  // a wait may return the fault
#endif
    cuStreamSynchronize(stream);
    cuMemFreeAsync(allocation.dptr, other);
    cuStreamSynchronize(other);
  }
#ifndef DEFECT
  Close(executable, graph, launched, other, stream);
#endif
}
