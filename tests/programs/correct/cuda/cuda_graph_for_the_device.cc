// A graph that may be launched by the device is uploaded, and launched by the host all the same.
#include "common/cuda_graphs.h"

int main() {
  Open();
  CUfunction twice = Kernel(KERNEL_TWICE);
  CUstream stream = NewStream();
  CUdeviceptr memory = NewMemory(4096);
  static float data[1024], result[1024];
  for (float& value : data) value = 1;
  OK(cuMemcpyHtoD(memory, data, 4096));
  void* arguments[] = {&memory};
  CUDA_KERNEL_NODE_PARAMS kernel = KernelNode(twice, arguments, 4, 256);
  CUgraph graph;
  CUgraphNode node;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  CUDA_GRAPH_INSTANTIATE_PARAMS params = {};
  params.flags = CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
  params.hUploadStream = stream;
  if (cuGraphInstantiateWithParams(&executable, graph, &params) != CUDA_SUCCESS)
    NEEDS(!"graphs that the device launches");
  OK(cuGraphUpload(executable, stream));
  for (int round = 0; round < 3; ++round) OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(result, memory, 4096));
  CHECK(result[1023] == 8);
  Close(executable, graph, memory, stream);
}
