// The kernels of a graph stay inside of the memory that they are given.
#include "common/cuda.h"

static CUDA_KERNEL_NODE_PARAMS Launch(CUfunction kernel, void** arguments) {
  CUDA_KERNEL_NODE_PARAMS params = {};
  params.func = kernel;
  params.gridDimX = params.gridDimY = params.gridDimZ = 1;
  params.blockDimX = params.blockDimY = params.blockDimZ = 1;
  params.kernelParams = arguments;
  return params;
}

int main() {
  Open();
  CUfunction poke = Kernel(KERNEL_POKE), twice = Kernel(KERNEL_TWICE), fill = Kernel(KERNEL_FILL);
  CUstream stream = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096), out = NewMemory(4096);
  long index = 5;
  int value = 3;
  void* target[] = {&buffer, &index};
  void* data[] = {&buffer};
  void* output[] = {&out, &value};
  CUgraph graph;
  CUgraphExec executable;
  CUgraphNode nodes[4];
  CUDA_KERNEL_NODE_PARAMS params = Launch(poke, target);
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddKernelNode(&nodes[0], graph, nullptr, 0, &params));
  params = Launch(twice, data);
  OK(cuGraphAddKernelNode(&nodes[1], graph, &nodes[0], 1, &params));
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = buffer;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = result;
  copy.WidthInBytes = 4096;
  copy.Height = 1;
  copy.Depth = 1;
  OK(cuGraphAddMemcpyNode(&nodes[2], graph, &nodes[1], 1, &copy, context));
  params = Launch(fill, output);
  OK(cuGraphAddKernelNode(&nodes[3], graph, &nodes[2], 1, &params));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuMemFree(out));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
  OK(cuStreamDestroy(stream));
  Close();
}
