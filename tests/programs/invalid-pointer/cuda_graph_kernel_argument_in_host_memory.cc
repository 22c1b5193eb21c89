// Defect: A kernel node is given a pointer from malloc. (No thread of the launch uses it.)
// Fix: A kernel node is given a pointer to page-locked memory.
// EXPECT error invalid-pointer cuGraphLaunch at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-PARTY recorded at RECORDED
// EXPECT-FACT argument=0
#include "common/cuda_graphs.h"

int main() {
  Open();
  // A device that reaches all host memory may be given any.
  NEEDS(!Attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS));
  CUfunction add = Kernel(KERNEL_ADD);
  CUstream stream = NewStream();
  CUdeviceptr b = NewZeros(4096), out = NewMemory(4096);
  // @BLOCK
  float* pageable = (float*)calloc(1024, sizeof(float));
  float* locked = (float*)NewPinned(4096);
#ifdef DEFECT
  float* a = pageable;
#else
  float* a = locked;
#endif
  CUgraph graph;
  CUgraphExec executable;
  CUgraphNode node;
  int n = 0;
  void* arguments[] = {&a, &b, &out, &n};
  CUDA_KERNEL_NODE_PARAMS kernel = KernelNode(add, arguments, 4, 256);
  OK(cuGraphCreate(&graph, 0));
  // @RECORDED
  OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @HERE
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuMemFree(out));
  OK(cuMemFree(b));
  OK(cuMemFreeHost(locked));
  free(pageable);
  Close(stream);
}
