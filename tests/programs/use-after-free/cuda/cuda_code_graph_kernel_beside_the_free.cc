// Defect: A kernel of a graph writes memory that a node of the graph allocates, and nothing orders
// the kernel before the node that frees the memory.
// Fix: The node that frees the memory depends on the kernel.
// EXPECT error use-after-free cuGraphLaunch at LAUNCH
// EXPECT-PARTY recorded at KERNEL
// EXPECT-PARTY release at FREE
// EXPECT-TEXT writes 4.* KiB of memory .*, and nothing orders it before the node that frees it
// MAY sticky-error
// EXIT any
#include "common/cuda_graphs.h"
#include "common/cuda_machine_code.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEM_ALLOC_NODE_PARAMS memory = MemoryNode(4096);
  CUgraphNode allocated, filled, freed;
  OK(cuGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &memory));
  int value = 3;
  void* arguments[] = {&memory.dptr, &value};
  CUDA_KERNEL_NODE_PARAMS fill = KernelNode(CodeKernel(CODE_FILL), arguments, 4, 256);
  // @KERNEL
  OK(cuGraphAddKernelNode(&filled, graph, &allocated, 1, &fill));
#ifdef DEFECT
  const CUgraphNode* before = &allocated;
#else
  const CUgraphNode* before = &filled;
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
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Close(executable, graph, stream);
}
