// Defect: Kernels of one graph, or of two graphs, write the same bytes, and nothing orders them.
// Fix: An edge or an event orders the kernels.
#include "common/cuda_graphs.h"
#include "common/cuda_machine_code.h"

// Defect: Two kernels of a graph write the same bytes, and no edge leads from one to the other.
// Fix: An edge leads to the second kernel.
// EXPECT error race cuGraphLaunch at HERE
// EXPECT-TEXT of kernel .*writes .* through argument 0.*, which another cuGraphAddKernelNode
// EXPECT-FACT hazard=WAW
static CUgraphNode Fill(CUgraph graph, const CUgraphNode* behind, size_t count, CUdeviceptr out) {
  int value = 3;
  void* arguments[] = {&out, &value};
  CUDA_KERNEL_NODE_PARAMS fill = KernelNode(CodeKernel(CODE_FILL), arguments, 4, 256);
  CUgraphNode node;
  OK(cuGraphAddKernelNode(&node, graph, behind, count, &fill));
  return node;
}

static void CodeGraphKernelsWithoutEdge() {
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  CUgraphNode first = Fill(graph, nullptr, 0, buffer);
#ifdef DEFECT
  Fill(graph, nullptr, 0, buffer);
#else
  Fill(graph, &first, 1, buffer);
#endif
  OK(cuGraphInstantiate(&executable, graph, 0));
  // @HERE
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Release(executable, graph, buffer, stream);
}

// Defect: Two graphs, each with a kernel of a library that writes the same buffer, are launched on two streams.
// Fix: They are launched on one stream.
// EXPECT error race cuGraphLaunch at HERE_2
// EXPECT-PARTY pending-command at FIRST
// EXPECT-FACT hazard=WAW
// A graph of one launch, as the runtime's launches are captured: by the kernel, not by its function in a context.
static CUgraphExec Capture(CUkernel kernel, CUdeviceptr out, int value) {
  CUstream stream = NewStream();
  void* arguments[] = {&out, &value};
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuLaunchKernel((CUfunction)kernel, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  CUgraph graph;
  OK(cuStreamEndCapture(stream, &graph));
  CUgraphExec executable;
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphDestroy(graph));
  OK(cuStreamDestroy(stream));
  return executable;
}

static void CodeGraphsOfALibraryKernel() {
  CUlibrary library;
  OK(cuLibraryLoadData(&library, kCode, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUkernel fill;
  OK(cuLibraryGetKernel(&fill, library, CODE_FILL));
  CUstream first = NewStream(), second = NewStream();
  CUdeviceptr buffer = NewMemory(4096);
  CUgraphExec one = Capture(fill, buffer, 1), two = Capture(fill, buffer, 2);
#ifdef DEFECT
  CUstream other = second;
#else
  CUstream other = first;
#endif
  // @FIRST
  OK(cuGraphLaunch(one, first));
  // @HERE_2
  OK(cuGraphLaunch(two, other));
  OK(cuCtxSynchronize());
  OK(cuGraphExecDestroy(two));
  OK(cuGraphExecDestroy(one));
  OK(cuMemFree(buffer));
  OK(cuStreamDestroy(second));
  OK(cuStreamDestroy(first));
  OK(cuLibraryUnload(library));
}

int main() {
  Open();
  CodeGraphKernelsWithoutEdge();
  CodeGraphsOfALibraryKernel();
  Close();
}
