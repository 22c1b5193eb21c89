// Host functions in graphs: each uses, frees and tells what the nodes in front of it have done, in
// graphs that are cloned, nested, changed and launched on two streams. What the driver says of a
// node is what the program gave it.
#include <semaphore.h>

#include "common/cuda_graphs.h"

struct Step {
  char* data;
  int seen;
  int runs;
};

static sem_t told;

static void CUDA_CB Use(void* argument) {
  Step* step = (Step*)argument;
  step->seen = step->data[4095];
  ++step->runs;
}

static void CUDA_CB Release(void* block) { free(block); }

static void CUDA_CB Tell(void*) { sem_post(&told); }

static void WaitUntilTold() {
  while (sem_wait(&told) != 0) continue;
}

static CUgraphNode AddCopy(CUgraph graph, const CUgraphNode* behind, const CUDA_MEMCPY3D& copy) {
  CUgraphNode node;
  OK(cuGraphAddMemcpyNode(&node, graph, behind, behind != nullptr, &copy, context));
  return node;
}

static CUDA_MEMCPY3D CopyOf(size_t bytes) {
  CUDA_MEMCPY3D copy = {};
  copy.WidthInBytes = bytes;
  copy.Height = 1;
  copy.Depth = 1;
  return copy;
}

static CUDA_MEMCPY3D Download(void* to, CUdeviceptr from) {
  CUDA_MEMCPY3D copy = CopyOf(4096);
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = from;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = to;
  return copy;
}

static CUDA_MEMCPY3D Upload(CUdeviceptr to, const void* from) {
  CUDA_MEMCPY3D copy = CopyOf(4096);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = from;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = to;
  return copy;
}

static CUgraphNode AddFunction(CUgraph graph, const CUgraphNode* behind, CUhostFn function,
                               void* argument) {
  CUDA_HOST_NODE_PARAMS host = {function, argument}, known = {};
  CUgraphNode node;
  OK(cuGraphAddHostNode(&node, graph, behind, behind != nullptr, &host));
  OK(cuGraphHostNodeGetParams(node, &known));
  CHECK(known.fn == function && known.userData == argument);
  return node;
}

// Two functions one behind the other, work that neither waits for, and a block that one frees.
static void TwoBranches(CUstream stream, CUstream other) {
  char* result = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096), side = NewZeros(4096);
  char* block = (char*)malloc(4096);
  memset(block, 9, 4096);
  Step step = {result, 0, 0};
  CUgraph graph;
  CUgraphExec executable;
  OK(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS fill = FillNode(side, 3, 4096);
  CUgraphNode aside;
  OK(cuGraphAddMemsetNode(&aside, graph, nullptr, 0, &fill, context));
  const CUgraphNode upload = AddCopy(graph, nullptr, Upload(buffer, block));
  const CUgraphNode release = AddFunction(graph, &upload, Release, block);
  const CUgraphNode download = AddCopy(graph, &release, Download(result, buffer));
  const CUgraphNode use = AddFunction(graph, &download, Use, &step);
  AddFunction(graph, &use, Tell, nullptr);
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  WaitUntilTold();
  CHECK(step.seen == 9 && step.runs == 1);
  // The functions are behind all that used this, and not behind the fill of the other.
  OK(cuMemsetD8Async(buffer, 1, 4096, other));
  OK(cuStreamSynchronize(stream));
  OK(cuMemsetD8Async(side, 1, 4096, other));
  OK(cuStreamSynchronize(other));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuMemFree(side));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
}

// The same function in a child graph and its parent, in a clone, with other data in one executable
// graph, and captured; launched one behind the other.
static void ManyLaunches(CUstream stream, CUstream other) {
  char* result = NewPinned(4096);
  CUdeviceptr buffer = NewZeros(4096);
  Step step = {result, 0, 0}, changed = {result, 0, 0};
  CUgraph child, graph, clone;
  OK(cuGraphCreate(&child, 0));
  const CUgraphNode inner = AddCopy(child, nullptr, Download(result, buffer));
  AddFunction(child, &inner, Use, &step);
  OK(cuGraphCreate(&graph, 0));
  CUgraphNode nested;
  OK(cuGraphAddChildGraphNode(&nested, graph, nullptr, 0, child));
  const CUgraphNode last = AddFunction(graph, &nested, Use, &step);
  OK(cuGraphDestroy(child));
  OK(cuGraphClone(&clone, graph));
  CUgraphExec executable, of_clone;
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphInstantiate(&of_clone, clone, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuGraphLaunch(of_clone, stream));
  // The clone is another graph: on another stream nothing would order what both write.
  OK(cuStreamSynchronize(stream));
  OK(cuGraphLaunch(executable, other));
  OK(cuStreamSynchronize(other));
  CHECK(step.runs == 6);
  CUDA_HOST_NODE_PARAMS host = {Use, &changed}, known = {};
  OK(cuGraphExecHostNodeSetParams(executable, last, &host));
  OK(cuGraphHostNodeGetParams(last, &known));
  CHECK(known.fn == Use && known.userData == &step);
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(step.runs == 7 && changed.runs == 1);
  OK(cuGraphHostNodeSetParams(last, &host));
  OK(cuGraphHostNodeGetParams(last, &known));
  CHECK(known.fn == Use && known.userData == &changed);
  OK(cuGraphExecDestroy(of_clone));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(clone));
  OK(cuGraphDestroy(graph));

  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemcpyDtoHAsync(result, buffer, 4096, stream));
  OK(cuLaunchHostFunc(stream, Tell, nullptr));
  OK(cuMemsetD8Async(buffer, 2, 4096, stream));
  OK(cuLaunchHostFunc(stream, Tell, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; ++i) OK(cuGraphLaunch(executable, stream));
  for (int i = 0; i < 6; ++i) WaitUntilTold();
  // All has been told of.
  OK(cuMemsetD8Async(buffer, 4, 4096, other));
  OK(cuStreamSynchronize(other));
  OK(cuStreamSynchronize(stream));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuMemFree(buffer));
  OK(cuMemFreeHost(result));
}

int main() {
  Open();
  sem_init(&told, 0, 0);
  CUstream stream = NewStream(), other = NewStream();
  TwoBranches(stream, other);
  ManyLaunches(stream, other);
  Close(other, stream);
}
