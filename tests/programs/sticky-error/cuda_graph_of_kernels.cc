// Defect: One of the kernels of a graph writes far outside of its memory, and another one is given
// NULL: the fault names the launch, and what was recorded into its graph.
// Fix: The kernels of a graph stay inside of the memory that they are given.
// EXPECT error sticky-error cuStreamSynchronize CUDA_ERROR_ILLEGAL_ADDRESS at HERE
// EXPECT-PARTY pending-command at LAUNCH
// EXPECT-PARTY recorded at POKE
// EXPECT-PARTY recorded at TWICE
// EXPECT-PARTY recorded at DOWNLOAD
// EXPECT-PARTY recorded at FILL
// EXPECT-TEXT newest first: cuGraphLaunch of kernel "fill" \(cuGraphAddKernelNode\w*\), cuGraphAddMemcpyNode, kernel "twice" \(cuGraphAddKernelNode\w*\), kernel "poke" \(cuGraphAddKernelNode\w*\)
// EXPECT-TEXT fix the argument errors of the pending commands first
// EXPECT-FACT pending_commands=1
// EXPECT-COUNT 2
// EXIT any
// MAY kernel-argument-out-of-bounds invalid-pointer
#include "common/cuda_graphs.h"

static CUDA_KERNEL_NODE_PARAMS Launch(CUfunction kernel, void** arguments) {
  CUDA_KERNEL_NODE_PARAMS params = KernelNode(kernel, arguments, 1, 1);
  return params;
}

int main() {
  Open();
  CUfunction poke = Kernel(KERNEL_POKE), twice = Kernel(KERNEL_TWICE), fill = Kernel(KERNEL_FILL);
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
#ifdef DEFECT
  CUdeviceptr buffer = NewZeros(4096), out = 0;
  long index = 1L << 45;
#else
  CUdeviceptr buffer = NewZeros(4096), out = NewMemory(4096);
  long index = 5;
#endif
  int value = 3;
  void* target[] = {&buffer, &index};
  void* data[] = {&buffer};
  void* output[] = {&out, &value};
  CUgraph graph;
  CUgraphExec executable;
  CUgraphNode nodes[4];
  CUDA_KERNEL_NODE_PARAMS params = Launch(poke, target);
  OK(cuGraphCreate(&graph, 0));
  // @POKE
  OK(cuGraphAddKernelNode(&nodes[0], graph, nullptr, 0, &params));
  params = Launch(twice, data);
  // @TWICE
  OK(cuGraphAddKernelNode(&nodes[1], graph, &nodes[0], 1, &params));
  CUDA_MEMCPY3D copy = DownloadNode(result, buffer, 4096);
  // @DOWNLOAD
  OK(cuGraphAddMemcpyNode(&nodes[2], graph, &nodes[1], 1, &copy, context));
  params = Launch(fill, output);
  // @FILL
  OK(cuGraphAddKernelNode(&nodes[3], graph, &nodes[2], 1, &params));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @LAUNCH
  OK(cuGraphLaunch(executable, stream));
#ifdef DEFECT
  // @HERE
  cuStreamSynchronize(stream);
  cuStreamSynchronize(stream);
#else
  OK(cuStreamSynchronize(stream));
  Close(executable, graph, out, buffer, result, stream);
#endif
}
