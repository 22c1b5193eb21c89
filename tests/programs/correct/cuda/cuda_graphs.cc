// Graphs with children, which are updated, switched off in part and launched again.
#include "common/cuda_graphs.h"

// Child graphs, event nodes and a host function; an executable graph that is updated and launched
// on two streams, each launch behind the one before.
static CUgraphNode AddCopy(CUgraph graph, const CUgraphNode* behind, CUdeviceptr from, void* to) {
  CUDA_MEMCPY3D copy = DownloadNode(to, from, 4096);
  CUgraphNode node;
  OK(cuGraphAddMemcpyNode(&node, graph, behind, behind != nullptr, &copy, context));
  return node;
}

static void GraphOfChildGraphs() {
  CUstream first = NewStream(), second = NewStream();
  char* result = NewPinned(4096);
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph child, graph;
  OK(cuGraphCreate(&child, 0));
  AddFill(child, nullptr, buffer, 3);
  OK(cuGraphCreate(&graph, 0));
  CUgraphNode inner;
  OK(cuGraphAddChildGraphNode(&inner, graph, nullptr, 0, child));
  OK(cuGraphDestroy(child));
  AddCopy(graph, &inner, buffer, result);
  CUgraphExec executable;
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, first));
  OK(cuGraphLaunch(executable, second));
  OK(cuStreamSynchronize(second));
  CHECK(result[4095] == 3);
  CUgraph clone;
  OK(cuGraphClone(&clone, graph));
  CUgraphExec other;
  OK(cuGraphInstantiate(&other, clone, 0));
  OK(cuGraphLaunch(other, first));
  OK(cuStreamSynchronize(first));
  Release(other, clone, executable, graph, buffer, result, second, first);
}

// An executable graph is updated from another graph and its node gets new parameters; each
// launch does what then stands.
static void GraphUpdate() {
  CUstream stream = NewStream();
  static char result[8192];
  CUdeviceptr buffer = NewZeros(8192);
  CUgraph graph, other;
  CUgraphExec executable;
  CUgraphNode node, other_node;
  CUDA_MEMSET_NODE_PARAMS fill = FillNode(buffer, 1, 4096);
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &fill, context));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  fill.dst = buffer + 4096;
  fill.value = 2;
  OK(cuGraphExecMemsetNodeSetParams(executable, node, &fill, context));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(result, buffer, 8192));
  CHECK(result[0] == 1 && result[4096] == 2);
  fill.value = 3;
  OK(cuGraphCreate(&other, 0));
  OK(cuGraphAddMemsetNode(&other_node, other, nullptr, 0, &fill, context));
  CUgraphExecUpdateResultInfo updated;
  OK(cuGraphExecUpdate(executable, other, &updated));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuMemcpyDtoH(result, buffer, 8192));
  CHECK(result[0] == 1 && result[4096] == 3);
  // The node of the first graph still names the one that was updated; its memory may go.
  CUdeviceptr small = NewMemory(4096);
  fill.dst = small;
  OK(cuGraphExecMemsetNodeSetParams(executable, node, &fill, context));
  OK(cuMemFree(buffer));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  Release(executable, other, graph, small, stream);
}

// Nodes of an executable graph are switched off and on: what is off races with nothing, and reads
// and writes nothing.
static void DisabledNodes() {
  CUstream stream = NewStream();
  CUdeviceptr buffer = NewMemory(4096);
  CUgraph graph;
  CUgraphExec exec;
  OK(cuGraphCreate(&graph, 0));
  // No edge: one at a time.
  CUgraphNode first = AddFill(graph, nullptr, buffer, 1),
              second = AddFill(graph, nullptr, buffer, 2);
  OK(cuGraphInstantiate(&exec, graph, 0));
  char* result = NewPinned(4096);
  for (int round = 0; round < 4; ++round) {
    OK(cuGraphNodeSetEnabled(exec, first, round % 2 == 0));
    OK(cuGraphNodeSetEnabled(exec, second, round % 2 != 0));
    OK(cuGraphLaunch(exec, stream));
    OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(result[0] == 1 + round % 2);
  }
  // Both off: the memory may go.
  OK(cuGraphNodeSetEnabled(exec, second, 0));
  OK(cuMemFree(buffer));
  OK(cuGraphLaunch(exec, stream));
  OK(cuStreamSynchronize(stream));
  Release(result, exec, graph, stream);
}

// A graph that may be launched by the device is uploaded, and launched by the host all the same.
static void GraphForTheDevice() {
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
  Release(executable, graph, memory, stream);
}

int main() {
  Open();
  GraphOfChildGraphs();
  GraphUpdate();
  DisabledNodes();
  GraphForTheDevice();
  Close();
}
