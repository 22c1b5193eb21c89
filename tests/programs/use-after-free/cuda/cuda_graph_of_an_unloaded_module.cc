// Defect: A graph is launched after the module of its kernel was unloaded.
// Fix: The module is unloaded after the last launch.
// EXPECT error use-after-free cuGraphLaunch at HERE
// EXPECT-PARTY recorded at RECORDED
// EXPECT-PARTY release at RELEASED
// MAY sticky-error leak
// EXIT any
#include "common/cuda_graphs.h"

int main() {
  Open();
  CUstream stream = NewStream();
  CUdeviceptr memory = NewZeros(256);
  CUmodule module, other;
  CUfunction fill;
  OK(cuModuleLoadData(&module, kKernels));
  OK(cuModuleLoadData(&other, kKernels));
  OK(cuModuleGetFunction(&fill, module, KERNEL_FILL));
  int value = 1;
  void* arguments[] = {&memory, &value};
  CUDA_KERNEL_NODE_PARAMS kernel = KernelNode(fill, arguments, 1, 64);
  CUgraph graph;
  CUgraphNode node;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  // @RECORDED
  OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuModuleUnload(other));
#ifdef DEFECT
  // @RELEASED
  OK(cuModuleUnload(module));
#endif
  // @HERE
  cuGraphLaunch(executable, stream);
  OK(cuStreamSynchronize(stream));
#ifndef DEFECT
  OK(cuModuleUnload(module));
#endif
  Close(executable, graph, memory, stream);
}
