// A child graph in an executable graph is given what other graphs do, again and again: what it did
// before is free for others, nodes keep their names and whether they are enabled, and the new host
// functions are behind the new work.
#include <semaphore.h>

#include "common/cuda_graphs.h"

static sem_t told;
static int seen;

static void CUDA_CB Look(void* block) {
  seen = static_cast<char*>(block)[4095];
  sem_post(&told);
}

static void WaitUntilTold() {
  while (sem_wait(&told) != 0) continue;
}

struct Parts {
  CUgraph graph;
  CUgraphNode fill, aside, download, look;
};

static CUDA_MEMSET_NODE_PARAMS FillOf(CUdeviceptr to, unsigned value) {
  return {to, 0, value, 1, 4096, 1};
}

// Fills the buffer and, beside it, another, and downloads the first for a host function.
static Parts PartsOf(CUdeviceptr buffer, CUdeviceptr beside, char* result, unsigned value) {
  Parts parts;
  OK(cuGraphCreate(&parts.graph, 0));
  CUDA_MEMSET_NODE_PARAMS fill = FillOf(buffer, value);
  OK(cuGraphAddMemsetNode(&parts.fill, parts.graph, nullptr, 0, &fill, context));
  fill = FillOf(beside, value);
  OK(cuGraphAddMemsetNode(&parts.aside, parts.graph, nullptr, 0, &fill, context));
  CUDA_MEMCPY3D copy = DownloadNode(result, buffer, 4096);
  OK(cuGraphAddMemcpyNode(&parts.download, parts.graph, &parts.fill, 1, &copy, context));
  CUDA_HOST_NODE_PARAMS host = {Look, result};
  OK(cuGraphAddHostNode(&parts.look, parts.graph, &parts.download, 1, &host));
  return parts;
}

int main() {
  Open();
  sem_init(&told, 0, 0);
  CUstream stream = NewStream(), other = NewStream();
  char *first_result = NewPinned(4096), *second_result = NewPinned(4096);
  CUdeviceptr first = NewZeros(4096), first_beside = NewZeros(4096);
  CUdeviceptr second = NewZeros(4096), second_beside = NewZeros(4096);
  const Parts old = PartsOf(first, first_beside, first_result, 1);
  const Parts fresh = PartsOf(second, second_beside, second_result, 2);
  CUgraph graph, embedded;
  CUgraphNode child, nodes[4];
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  OK(cuGraphAddChildGraphNode(&child, graph, nullptr, 0, old.graph));
  OK(cuGraphChildGraphNodeGetGraph(child, &embedded));
  size_t count = 4;
  OK(cuGraphGetNodes(embedded, nodes, &count));
  CHECK(count == 4);
  CUgraphNode fills[2] = {};
  for (int i = 0; i < 4; ++i) {
    CUgraphNodeType type;
    OK(cuGraphNodeGetType(nodes[i], &type));
    if (type != CU_GRAPH_NODE_TYPE_MEMSET) continue;
    CUDA_MEMSET_NODE_PARAMS fill;
    OK(cuGraphMemsetNodeGetParams(nodes[i], &fill));
    fills[fill.dst == first_beside] = nodes[i];
  }
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphNodeSetEnabled(executable, fills[1], 0));
  OK(cuGraphExecChildGraphNodeSetParams(executable, child, fresh.graph));
  unsigned enabled = 1;
  OK(cuGraphNodeGetEnabled(executable, fills[1], &enabled));
  CHECK(enabled == 0);
  OK(cuGraphLaunch(executable, stream));
  // What the child graph used before, and what its disabled node would fill, is used by another
  // stream meanwhile.
  OK(cuMemsetD8Async(first, 8, 4096, other));
  OK(cuMemsetD8Async(first_beside, 8, 4096, other));
  OK(cuMemsetD8Async(second_beside, 8, 4096, other));
  OK(cuMemcpyDtoHAsync(first_result, first, 4096, other));
  // The host function has told of what it is behind.
  WaitUntilTold();
  CHECK(seen == 2);
  memset(second_result, 0, 4096);
  OK(cuMemsetD8Async(second, 5, 4096, other));
  OK(cuCtxSynchronize());

  // A node of the child graph is changed by its own name, and with it what the stream must not use.
  CUDA_MEMSET_NODE_PARAMS fill = FillOf(first_beside, 3);
  OK(cuGraphNodeSetEnabled(executable, fills[1], 1));
  OK(cuGraphExecMemsetNodeSetParams(executable, fills[1], &fill, context));
  OK(cuGraphLaunch(executable, stream));
  OK(cuMemsetD8Async(second_beside, 8, 4096, other));
  WaitUntilTold();
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoH(first_result, first_beside, 4096));
  CHECK(first_result[4095] == 3);

  // Back to what it was, by the other call; what came between is freed.
  CUgraphNodeParams given = {};
  given.type = CU_GRAPH_NODE_TYPE_GRAPH;
  given.graph.graph = old.graph;
  OK(cuGraphExecNodeSetParams(executable, child, &given));
  OK(cuMemFree(second_beside));
  OK(cuMemFree(second));
  OK(cuMemFreeHost(second_result));
  OK(cuGraphDestroy(fresh.graph));
  OK(cuGraphLaunch(executable, stream));
  WaitUntilTold();
  CHECK(seen == 1);
  OK(cuCtxSynchronize());
  Close(executable, graph, old.graph, first_beside, first, first_result, other, stream);
}
