// Defect: A graph doubles a buffer and downloads it, and no edge leads from the kernel to the copy.
// Fix: A graph doubles a buffer and downloads it; an edge leads from the kernel to the copy.
// EXPECT error race cuGraphLaunch at HERE
// EXPECT-PARTY pending-command at KERNEL
// EXPECT-PARTY recorded at DOWNLOAD
#include "common/cuda_graphs.h"

int main() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  void* arguments[] = {&buffer};
  CUDA_KERNEL_NODE_PARAMS kernel = KernelNode(twice, arguments, 4, 256);
  CUDA_MEMCPY3D download = DownloadNode(result, buffer, 4096);
  CUgraphNode first, second;
  OK(cuGraphCreate(&graph, 0));
  // @KERNEL
  OK(cuGraphAddKernelNode(&first, graph, nullptr, 0, &kernel));
#ifdef DEFECT
  const size_t edges = 0;
#else
  const size_t edges = 1;
#endif
  // @DOWNLOAD
  OK(cuGraphAddMemcpyNode(&second, graph, &first, edges, &download, context));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @HERE
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Close(executable, graph, buffer, result, stream);
}
