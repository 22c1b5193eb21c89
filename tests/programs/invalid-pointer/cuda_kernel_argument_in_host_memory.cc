// Defect: A kernel of a launch or of a graph gets a pointer from malloc.
// Fix: The pointer is that of device memory.
#include "common/cuda.h"
#include "common/cuda_graphs.h"

// Defect: A kernel is launched with a pointer from malloc. (No thread of the launch uses it.)
// Fix: A kernel is launched with page-locked memory, which the device reaches.
// EXPECT error invalid-pointer cuLaunchKernel at HERE
// EXPECT-PARTY host-block at BLOCK
// EXPECT-FACT argument=0
static void OfALaunch() {
  // A device that reaches all host memory may be given any.
  NEEDS(!Attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS));
  CUfunction add = Kernel(KERNEL_ADD);
  CUdeviceptr b = NewZeros(4096), out = NewMemory(4096);
  // @BLOCK
  float* pageable = (float*)calloc(1024, sizeof(float));
  float* locked = (float*)NewPinned(4096);
#ifdef DEFECT
  float* a = pageable;
#else
  float* a = locked;
#endif
  int n = 0;
  void* arguments[] = {&a, &b, &out, &n};
  // @HERE
  OK(cuLaunchKernel(add, 4, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  OK(cuCtxSynchronize());
  OK(cuMemFree(out));
  OK(cuMemFree(b));
  OK(cuMemFreeHost(locked));
  free(pageable);
}

// Defect: A kernel node is given a pointer from malloc. (No thread of the launch uses it.)
// Fix: A kernel node is given a pointer to page-locked memory.
// EXPECT error invalid-pointer cuGraphLaunch at HERE_2
// EXPECT-PARTY host-block at BLOCK_2
// EXPECT-PARTY recorded at RECORDED
// EXPECT-FACT argument=0
static void OfAGraph() {
  // A device that reaches all host memory may be given any.
  NEEDS(!Attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS));
  CUfunction add = Kernel(KERNEL_ADD);
  CUstream stream = NewStream();
  CUdeviceptr b = NewZeros(4096), out = NewMemory(4096);
  // @BLOCK_2
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
  // @HERE_2
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuMemFree(out));
  OK(cuMemFree(b));
  OK(cuMemFreeHost(locked));
  free(pageable);
  Release(stream);
}

int main() {
  Open();
  OfALaunch();
  OfAGraph();
  Close();
}
