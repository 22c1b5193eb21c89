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
  constexpr int kRounds = 2000, kWarm = 500;
  size_t warm = 0;
  for (int i = 0; i < kRounds; ++i) {
    Round(kept, stream);
    if (i % 8 == 0) OK(cuStreamSynchronize(stream));
    if (i == kWarm) warm = BytesInUse();
  }
  OK(cuStreamSynchronize(stream));
  CHECK(called == given && sum == given * (given + 1) / 2);
  CheckGrowth(warm);
  Close(kept.changed, kept.updated, kept.graph, stream);
}
