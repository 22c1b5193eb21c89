// Graphs of kernels: with branches, without the modules of disabled nodes, and after an update that
// failed.
#include "common/cuda.h"
#include "common/cuda_graphs.h"

// Graphs of kernels: branches that read the same input, memory that the graph allocates itself, an
// update to other memory, and a node that is switched off together with the memory it had.
static CUDA_KERNEL_NODE_PARAMS Launch(CUfunction function, void** arguments) {
  CUDA_KERNEL_NODE_PARAMS kernel = KernelNode(function, arguments, 4, 256);
  return kernel;
}

static void GraphOfKernels() {
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
  Release(executable, graph, left, in, other_stream, stream);
}

// Modules are unloaded when no enabled node of an executable graph uses their kernels any more: a
// node got a kernel of another module, a node is disabled, and the graph was updated.
static CUmodule NewModule(CUfunction* fill) {
  CUmodule module;
  OK(cuModuleLoadData(&module, kKernels));
  OK(cuModuleGetFunction(fill, module, KERNEL_FILL));
  return module;
}

static void GraphWithoutItsUnloadedModules() {
  CUstream stream = NewStream();
  CUdeviceptr memory = NewZeros(256);
  CUfunction fills[3];
  CUmodule modules[3];
  for (int i = 0; i < 3; ++i) modules[i] = NewModule(&fills[i]);
  int value = 1;
  void* arguments[] = {&memory, &value};
  CUDA_KERNEL_NODE_PARAMS kernel = {};
  kernel.gridDimX = kernel.gridDimY = kernel.gridDimZ = 1;
  kernel.blockDimX = 64;
  kernel.blockDimY = kernel.blockDimZ = 1;
  kernel.kernelParams = arguments;
  CUgraph graph, other;
  CUgraphNode first, second, node;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  kernel.func = fills[0];
  OK(cuGraphAddKernelNode(&first, graph, nullptr, 0, &kernel));
  kernel.func = fills[1];
  OK(cuGraphAddKernelNode(&second, graph, &first, 1, &kernel));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));

  kernel.func = fills[2];
  OK(cuGraphExecKernelNodeSetParams(executable, first, &kernel));
  OK(cuModuleUnload(modules[0]));
  OK(cuGraphLaunch(executable, stream));
  OK(cuGraphNodeSetEnabled(executable, second, 0));
  OK(cuStreamSynchronize(stream));
  OK(cuModuleUnload(modules[1]));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));

  modules[0] = NewModule(&fills[0]);
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphCreate(&other, 0));
  kernel.func = fills[0];
  OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  kernel.func = fills[2];
  OK(cuGraphAddKernelNode(&node, other, nullptr, 0, &kernel));
  OK(cuGraphInstantiate(&executable, graph, 0));
  CUgraphExecUpdateResultInfo result;
  OK(cuGraphExecUpdate(executable, other, &result));
  OK(cuModuleUnload(modules[0]));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuGraphDestroy(other));
  OK(cuModuleUnload(modules[2]));
  Release(memory, stream);
}

// A failed update of an executable graph is regular: the program runs a step of another shape
// without a graph, and launches the old executable graph for the next step of the usual shape. A
// list of executable graphs is searched by updates until one succeeds.
static CUgraph Record(CUstream stream, CUdeviceptr field, unsigned stages) {
  CUgraph graph;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  for (unsigned i = 0; i < stages; ++i) OK(cuMemsetD8Async(field, i + 1, 4096, stream));
  OK(cuStreamEndCapture(stream, &graph));
  return graph;
}

static CUgraphExec Made(CUgraph graph) {
  CUgraphExec made;
  OK(cuGraphInstantiate(&made, graph, 0));
  OK(cuGraphDestroy(graph));
  return made;
}

static void OldGraphBehindFailedUpdate() {
  CUstream stream = NewStream();
  CUdeviceptr field = NewZeros(4096);
  CUgraphExecUpdateResultInfo info;
  CUgraphExec usual[] = {Made(Record(stream, field, 1)), Made(Record(stream, field, 2))};
  CUgraph other = Record(stream, field, 3);
  FAILS(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(usual[0], other, &info));
  OK(cuGraphDestroy(other));
  OK(cuMemsetD8Async(field, 3, 4096, stream));
  OK(cuGraphLaunch(usual[0], stream));
  CUgraph fitting = Record(stream, field, 2);
  FAILS(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(usual[0], fitting, &info));
  OK(cuGraphExecUpdate(usual[1], fitting, &info));
  OK(cuGraphDestroy(fitting));
  OK(cuGraphLaunch(usual[0], stream));
  OK(cuGraphLaunch(usual[1], stream));
  OK(cuStreamSynchronize(stream));
  for (CUgraphExec one : usual) OK(cuGraphExecDestroy(one));
  Release(field, stream);
}

int main() {
  Open();
  GraphOfKernels();
  GraphWithoutItsUnloadedModules();
  OldGraphBehindFailedUpdate();
  Close();
}
