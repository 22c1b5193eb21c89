// Defect: A kernel of a graph writes mapped memory that devices may only read.
// Fix: The device gets write access before the launch.
// EXPECT error kernel-access-flag cuGraphLaunch at HERE
// EXPECT-FACT argument=0
// MAY sticky-error call-failed leak
// EXIT any
#include "common/cuda_mapped.h"

int main() {
  Open();
  CUfunction fill = Kernel(KERNEL_FILL);
  const size_t bytes = PhysicalPiece();
  CUmemGenericAllocationHandle physical = NewPhysical(bytes);
  CUdeviceptr memory;
  OK(cuMemAddressReserve(&memory, bytes, 0, 0, 0));
  OK(cuMemMap(memory, bytes, 0, physical, 0));
  CUmemAccessDesc access = {PhysicalProperties().location, CU_MEM_ACCESS_FLAGS_PROT_READ};
  OK(cuMemSetAccess(memory, bytes, &access, 1));
  int value = 1;
  void* arguments[] = {&memory, &value};
  CUDA_KERNEL_NODE_PARAMS kernel = {};
  kernel.func = fill;
  kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = 64;
  kernel.blockDimY = kernel.blockDimZ = 1;
  kernel.kernelParams = arguments;
  CUgraph graph;
  CUgraphNode node;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  OK(cuGraphInstantiate(&executable, graph, 0));
#ifndef DEFECT
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  OK(cuMemSetAccess(memory, bytes, &access, 1));
#endif
  // @HERE
  OK(cuGraphLaunch(executable, nullptr));
  OK(cuCtxSynchronize());
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuMemUnmap(memory, bytes));
  OK(cuMemRelease(physical));
  OK(cuMemAddressFree(memory, bytes));
  Close();
}
