// Child graphs, event nodes and a host function; an executable graph that is updated and launched
// on two streams, each launch behind the one before.
#include "common/cuda_graphs.h"

static CUgraphNode AddCopy(CUgraph graph, const CUgraphNode* behind, CUdeviceptr from, void* to) {
  CUDA_MEMCPY3D copy = DownloadNode(to, from, 4096);
  CUgraphNode node;
  OK(cuGraphAddMemcpyNode(&node, graph, behind, behind != nullptr, &copy, context));
  return node;
}

int main() {
  Open();
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
  Close(other, clone, executable, graph, buffer, result, second, first);
}
