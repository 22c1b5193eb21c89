// Defect: A node of a graph downloads what another one fills, or what a kernel writes, and no edge
// leads from one to the other.
// Fix: An edge leads to the download.
#include "common/cuda_graphs.h"

// Defect: Two nodes of a graph, one fills what the other downloads, and no edge leads from one to
// the other.
// Fix: Two nodes of a graph, one fills what the other downloads, and an edge leads to the second.
// EXPECT error race cuGraphLaunch at HERE
// EXPECT-FACT hazard=RAW
static void GraphNodesWithoutEdge() {
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS fill = FillNode(buffer, 3, 4096);
  CUDA_MEMCPY3D download = DownloadNode(result, buffer, 4096);
  CUgraphNode first, second;
  OK(cuGraphAddMemsetNode(&first, graph, nullptr, 0, &fill, context));
#ifdef DEFECT
  const size_t edges = 0;
#else
  const size_t edges = 1;
#endif
  OK(cuGraphAddMemcpyNode(&second, graph, &first, edges, &download, context));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @HERE
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Release(executable, graph, buffer, result, stream);
}

// Defect: A graph doubles a buffer and downloads it, and no edge leads from the kernel to the copy.
// Fix: A graph doubles a buffer and downloads it; an edge leads from the kernel to the copy.
// EXPECT error race cuGraphLaunch at HERE_2
// EXPECT-PARTY pending-command at KERNEL_2
// EXPECT-PARTY recorded at DOWNLOAD_2
static void GraphKernelAndDownloadWithoutEdge() {
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
  // @KERNEL_2
  OK(cuGraphAddKernelNode(&first, graph, nullptr, 0, &kernel));
#ifdef DEFECT
  const size_t edges = 0;
#else
  const size_t edges = 1;
#endif
  // @DOWNLOAD_2
  OK(cuGraphAddMemcpyNode(&second, graph, &first, edges, &download, context));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @HERE_2
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Release(executable, graph, buffer, result, stream);
}

int main() {
  Open();
  GraphNodesWithoutEdge();
  GraphKernelAndDownloadWithoutEdge();
  Close();
}
