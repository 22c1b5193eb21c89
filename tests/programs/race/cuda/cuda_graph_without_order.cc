// Defect: Graphs beside an upload, and nodes of a graph without an edge, use the same memory.
// Fix: An event orders the graph and the upload, and an edge orders the nodes.
#include "common/cuda.h"
#include "common/cuda_graphs.h"

// Defect: A graph downloads a buffer while another stream uploads it.
// Fix: The stream of the graph waits for the upload.
// EXPECT error race cuGraphLaunch at HERE
// EXPECT-PARTY pending-command at UPLOAD
static void GraphLaunchBesideUpload() {
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  char *data = NewPinned(4096), *result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, first));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @UPLOAD
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  OK(cuEventRecord(uploaded, second));
#ifndef DEFECT
  OK(cuStreamWaitEvent(first, uploaded, 0));
#endif
  // @HERE
  OK(cuGraphLaunch(executable, first));
  OK(cuCtxSynchronize());
  Release(executable, graph, buffer, result, data, uploaded, second, first);
}

// Defect: A graph doubles a buffer on one stream while another stream uploads it.
// Fix: A graph doubles a buffer when another stream has uploaded it.
// EXPECT error race cuGraphLaunch at HERE_2
// EXPECT-PARTY pending-command at UPLOAD_2
// EXPECT-FACT hazard=RAW
static void GraphKernelBesideUpload() {
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream first = NewStream(), second = NewStream();
  CUevent uploaded = NewEvent();
  char* data = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  CUgraph graph;
  CUgraphExec executable;
  void* arguments[] = {&buffer};
  OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuLaunchKernel(twice, 4, 1, 1, 256, 1, 1, 0, first, arguments, nullptr));
  OK(cuStreamEndCapture(first, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @UPLOAD_2
  OK(cuMemcpyHtoDAsync(buffer, data, 4096, second));
  OK(cuEventRecord(uploaded, second));
#ifndef DEFECT
  OK(cuStreamWaitEvent(first, uploaded, 0));
#endif
  // @HERE_2
  OK(cuGraphLaunch(executable, first));
  OK(cuCtxSynchronize());
  Release(executable, graph, buffer, data, uploaded, second, first);
}

// Defect: Two nodes of a graph, one fills what the other downloads, and no edge leads from one to
// the other.
// Fix: Two nodes of a graph, one fills what the other downloads, and an edge leads to the second.
// EXPECT error race cuGraphLaunch at HERE_3
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
  // @HERE_3
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Release(executable, graph, buffer, result, stream);
}

// Defect: A graph doubles a buffer and downloads it, and no edge leads from the kernel to the copy.
// Fix: A graph doubles a buffer and downloads it; an edge leads from the kernel to the copy.
// EXPECT error race cuGraphLaunch at HERE_4
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
  // @HERE_4
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Release(executable, graph, buffer, result, stream);
}

int main() {
  Open();
  GraphLaunchBesideUpload();
  GraphKernelBesideUpload();
  GraphNodesWithoutEdge();
  GraphKernelAndDownloadWithoutEdge();
  Close();
}
