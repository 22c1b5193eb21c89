// Modules are unloaded when no enabled node of an executable graph uses their kernels any more: a
// node got a kernel of another module, a node is disabled, and the graph was updated.
#include "common/cuda.h"

static CUmodule NewModule(CUfunction* fill) {
  CUmodule module;
  OK(cuModuleLoadData(&module, kKernels));
  OK(cuModuleGetFunction(fill, module, KERNEL_FILL));
  return module;
}

int main() {
  Open();
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
  Close(memory, stream);
}
