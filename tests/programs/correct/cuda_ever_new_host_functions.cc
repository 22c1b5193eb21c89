// Graphs are captured, changed, updated and cloned again and again, and their host functions are
// given other data each time. What is kept of them goes with them: memory does not grow.
#include <malloc.h>

#include <atomic>

#include "common/cuda.h"

static std::atomic<size_t> called, sum;
static size_t given;  // so many functions must have been called, each with its own number

static void CUDA_CB Count(void* number) {
  sum += reinterpret_cast<size_t>(number);
  ++called;
}

static void* NextNumber() { return reinterpret_cast<void*>(++given); }

static CUDA_HOST_NODE_PARAMS NextFunction() { return {Count, NextNumber()}; }

static void LaunchAndDestroy(CUgraph graph, CUstream stream) {
  CUgraphExec executable;
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuGraphExecDestroy(executable));
}

struct Kept {
  CUgraph graph;
  CUgraphNode node;
  CUgraphExec updated, changed;
};

static void Round(const Kept& kept, CUstream stream) {
  // Captured; gone before its launch has come to an end.
  CUgraph graph, clone, parent;
  CUgraphNode node;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuLaunchHostFunc(stream, Count, NextNumber()));
  OK(cuStreamEndCapture(stream, &graph));
  LaunchAndDestroy(graph, stream);
  OK(cuGraphDestroy(graph));

  // A graph that stays, and an executable graph that is updated from it.
  CUDA_HOST_NODE_PARAMS host = NextFunction();
  OK(cuGraphHostNodeSetParams(kept.node, &host));
  CUgraphExecUpdateResultInfo result;
  OK(cuGraphExecUpdate(kept.updated, kept.graph, &result));
  OK(cuGraphLaunch(kept.updated, stream));

  // One that is changed by itself, twice, with the first launch pending.
  host = NextFunction();
  OK(cuGraphExecHostNodeSetParams(kept.changed, kept.node, &host));
  OK(cuGraphLaunch(kept.changed, stream));
  CUgraphNodeParams any = {};
  any.type = CU_GRAPH_NODE_TYPE_HOST;
  any.host.fn = Count;
  any.host.userData = NextNumber();
  OK(cuGraphExecNodeSetParams(kept.changed, kept.node, &any));
  OK(cuGraphLaunch(kept.changed, stream));

  // A clone in a child graph, whose original is changed and goes; another node comes and goes.
  OK(cuGraphCreate(&graph, 0));
  host = NextFunction();
  OK(cuGraphAddHostNode(&node, graph, nullptr, 0, &host));
  OK(cuGraphClone(&clone, graph));
  OK(cuGraphCreate(&parent, 0));
  CUgraphNode child, other;
  OK(cuGraphAddChildGraphNode(&child, parent, nullptr, 0, clone));
  CUDA_HOST_NODE_PARAMS unused = {Count, nullptr};
  OK(cuGraphAddHostNode(&other, kept.graph, &kept.node, 1, &unused));
  OK(cuGraphDestroyNode(other));
  OK(cuGraphHostNodeSetParams(node, &unused));
  OK(cuGraphDestroy(graph));
  OK(cuGraphDestroy(clone));
  LaunchAndDestroy(parent, stream);
  OK(cuGraphDestroy(parent));
}

// Launches of executable graphs are captured: one of a graph that then goes, and one whose function
// is then another.
static void CaptureLaunches(const Kept& kept, CUstream stream) {
  CUgraph graph, outer;
  CUgraphExec executable;
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuLaunchHostFunc(stream, Count, nullptr));
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  CUDA_HOST_NODE_PARAMS host = {Count, nullptr};
  OK(cuGraphExecHostNodeSetParams(kept.changed, kept.node, &host));
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK(cuGraphLaunch(executable, stream));
  OK(cuGraphLaunch(kept.changed, stream));
  OK(cuStreamEndCapture(stream, &outer));
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  host.userData = &called;
  OK(cuGraphExecHostNodeSetParams(kept.changed, kept.node, &host));
  const size_t before = called;
  LaunchAndDestroy(outer, stream);
  OK(cuGraphDestroy(outer));
  OK(cuStreamSynchronize(stream));
  CHECK(called == before + 2);
}

// The node of a child graph gets numbers from `first` on; launched now and then.
static void ChangeChild(CUgraph graph, CUgraphNode node, CUstream stream, size_t first) {
  for (size_t i = first; i < first + 6000; ++i) {
    CUDA_HOST_NODE_PARAMS host = {Count, reinterpret_cast<void*>(i)};
    OK(cuGraphHostNodeSetParams(node, &host));
    if (i % 2000 != 0) continue;
    const size_t before = sum;
    LaunchAndDestroy(graph, stream);
    OK(cuStreamSynchronize(stream));
    CHECK(sum == before + i);
  }
}

static size_t BytesInUse() { return mallinfo2().uordblks; }

// To keep 24 for each function would be too many.
static void CheckGrowth(size_t before) {
  const size_t now = BytesInUse(), grown = now > before ? now - before : 0;
  if (grown >= 128 * 1024) fprintf(stderr, "%zu bytes more\n", grown);
  CHECK(grown < 128 * 1024);
}

int main() {
  Open();
  CUstream stream = NewStream();
  Kept kept;
  CUDA_HOST_NODE_PARAMS host = {Count, nullptr};
  OK(cuGraphCreate(&kept.graph, 0));
  OK(cuGraphAddHostNode(&kept.node, kept.graph, nullptr, 0, &host));
  OK(cuGraphInstantiate(&kept.updated, kept.graph, 0));
  OK(cuGraphInstantiate(&kept.changed, kept.graph, 0));
  constexpr int kRounds = 1500, kWarm = 300;
  size_t warm = 0;
  for (int i = 0; i < kRounds; ++i) {
    Round(kept, stream);
    if (i % 8 == 0) OK(cuStreamSynchronize(stream));
    if (i == kWarm) warm = BytesInUse();
  }
  OK(cuStreamSynchronize(stream));
  CHECK(called == given && sum == given * (given + 1) / 2);
  CheckGrowth(warm);

  CaptureLaunches(kept, stream);
  CUgraph parent, child;
  CUgraphNode nested, inner;
  OK(cuGraphCreate(&parent, 0));
  OK(cuGraphAddChildGraphNode(&nested, parent, nullptr, 0, kept.graph));
  OK(cuGraphChildGraphNodeGetGraph(nested, &child));
  size_t count = 1;
  OK(cuGraphGetNodes(child, &inner, &count));
  ChangeChild(parent, inner, stream, 1);
  warm = BytesInUse();
  ChangeChild(parent, inner, stream, 6001);
  CheckGrowth(warm);
  OK(cuGraphDestroy(parent));
  OK(cuGraphExecDestroy(kept.changed));
  OK(cuGraphExecDestroy(kept.updated));
  OK(cuGraphDestroy(kept.graph));
  OK(cuStreamDestroy(stream));
  Close();
}
