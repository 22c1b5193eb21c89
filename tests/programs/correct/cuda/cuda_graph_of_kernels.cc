// Graphs of kernels: branches that read the same input, memory that the graph allocates itself, an
// update to other memory, and a node that is switched off together with the memory it had.
#include "common/cuda_graphs.h"

static CUDA_KERNEL_NODE_PARAMS Launch(CUfunction function, void** arguments) {
  CUDA_KERNEL_NODE_PARAMS kernel = KernelNode(function, arguments, 4, 256);
  return kernel;
}

int main() {
  Open();
  CUfunction copy = Kernel(KERNEL_COPY), twice = Kernel(KERNEL_TWICE), fill = Kernel(KERNEL_FILL);
  CUstream stream = NewStream(), other_stream = NewStream();
  static float data[1024], result[1024];
  for (int i = 0; i < 1024; ++i) data[i] = 1;
  CUdeviceptr in = NewMemory(4096), left = NewMemory(4096), right = NewMemory(4096);
  OK(cuMemcpyHtoD(in, data, sizeof(data)));
  OK(cuCtxSynchronize());

  // Two branches read `in`, a third kernel works in place on what one of them wrote.
  CUgraph graph;
  CUgraphNode to_left, to_right, doubled;
  CUgraphExec executable;
  void *left_arguments[] = {&in, &left}, *right_arguments[] = {&in, &right};
  void* twice_arguments[] = {&left};
  CUDA_KERNEL_NODE_PARAMS one = Launch(copy, left_arguments), two = Launch(copy, right_arguments),
                          three = Launch(twice, twice_arguments);
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddKernelNode(&to_left, graph, nullptr, 0, &one));
  OK(cuGraphAddKernelNode(&to_right, graph, nullptr, 0, &two));
  OK(cuGraphAddKernelNode(&doubled, graph, &to_left, 1, &three));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  // Reads what the graph only reads.
  OK(cuMemcpyDtoHAsync(result, in, 4096, other_stream));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoH(result, left, 4096));
  CHECK(result[1023] == 2);

  // `right` is replaced by larger memory; the node is told.
  OK(cuMemFree(right));
  right = NewMemory(1 << 20);
  OK(cuGraphExecKernelNodeSetParams(executable, to_right, &two));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  // The node is switched off, and its memory goes.
  OK(cuGraphNodeSetEnabled(executable, to_right, 0));
  OK(cuMemFree(right));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));

  // Memory of the graph's own, filled by a kernel.
  CUDA_MEM_ALLOC_NODE_PARAMS memory = MemoryNode(4096);
  CUgraphNode allocated, filled, moved, freed;
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &memory));
  int value = 0;
  void* fill_arguments[] = {&memory.dptr, &value};
  CUDA_KERNEL_NODE_PARAMS four = Launch(fill, fill_arguments);
  OK(cuGraphAddKernelNode(&filled, graph, &allocated, 1, &four));
  void* move_arguments[] = {&memory.dptr, &left};
  CUDA_KERNEL_NODE_PARAMS five = Launch(copy, move_arguments);
  OK(cuGraphAddKernelNode(&moved, graph, &filled, 1, &five));
  OK(cuGraphAddMemFreeNode(&freed, graph, &moved, 1, memory.dptr));
  OK(cuGraphInstantiate(&executable, graph, 0));
  for (int round = 0; round < 2; ++round) {
    OK(cuGraphLaunch(executable, stream));
    OK(cuStreamSynchronize(stream));
  }
  OK(cuMemcpyDtoH(result, left, 4096));
  CHECK(result[0] == 0);
  Close(executable, graph, left, in, other_stream, stream);
}
