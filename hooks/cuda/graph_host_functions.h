// Host functions that are nodes of graphs.
//
// Under the preload doors a node is given a function of gpusan's, which joins to the host what is
// before the node, in its graph and before the launch, and then runs the program's, watched. The
// driver copies what a node was given into clones, child graphs and executable graphs and tells
// nobody when it lets go: gpusan's part lives as long as the process, and serves again for a node
// of the same function, data and place in its graph. Where arguments may not be replaced, what is
// before a node counts as known to the host once the graph is launched.
#pragma once

#include <cuda.h>

#include <vector>

#include "hooks/cuda/call.h"

namespace gpusan::cuda {

// One launch of a graph that will call a function.
struct AwaitedRun {
  const void* graph = nullptr;  // the executable one, by identity
  Epoch launch;                 // complete only when the function has returned
  uint32_t runs = 1;            // nodes with that function
  Snapshot before;              // what is complete when the function is called
};

// Thread-safe. Never destroyed.
class GraphHostFunction {
 public:
  GraphHostFunction(Tracker& tracker, CUhostFn function, void* data, uint32_t place)
      : tracker_(tracker), function_(function), data_(data), place_(place) {}

  // Before the real launch.
  void Await(AwaitedRun run);
  // The launch failed.
  void Cancel(Epoch launch);
  // From now on it may be called for launches that Await was not told of.
  void MayRunUnseen();
  // The driver calls it.
  void Run();

  CUhostFn function() const { return function_; }
  void* data() const { return data_; }
  uint32_t place() const { return place_; }

 private:
  void Start();

  Tracker& tracker_;
  const CUhostFn function_;
  void* const data_;
  const uint32_t place_;
  SpinLock lock_;
  std::vector<AwaitedRun> awaited_;  // in the order of the launches
  bool runs_unseen_ = false;
};

// --- not templates (graph_host_functions.cc)

// For a new node of the graph; nothing where arguments may not be replaced.
void ReplaceHostFunction(CuCall& call, CUgraph graph, CUDA_HOST_NODE_PARAMS* params);
// For a node that has a function.
void ReplaceHostFunction(CuCall& call, CUgraphNode node, CUDA_HOST_NODE_PARAMS* params);
// What the program gave the node.
void RestoreHostFunction(CUDA_HOST_NODE_PARAMS* params);
// As the driver has the node; nullptr: it calls the program's function.
GraphHostFunction* HostFunctionOf(const CUDA_HOST_NODE_PARAMS& params);
GraphHostFunction* HostFunctionOf(CUgraphNode node);
// In a child of fork().
void ForgetHostFunctions();

// --- handlers

// What a node is given, as the driver gets it. Its address must not change meanwhile.
struct HostNodeGiven {
  CUDA_HOST_NODE_PARAMS host{};
  CUgraphNodeParams any{};

  template <typename Node>
  void Replace(CuCall& call, Node node, const CUDA_HOST_NODE_PARAMS** params) {
    if (*params == nullptr || !call.may_change_arguments()) return;
    host = **params;
    ReplaceHostFunction(call, node, &host);
    *params = &host;
  }
  template <typename Node>
  void Replace(CuCall& call, Node node, CUgraphNodeParams** params) {
    if (*params == nullptr || (*params)->type != CU_GRAPH_NODE_TYPE_HOST ||
        !call.may_change_arguments())
      return;
    any = **params;
    host.fn = any.host.fn;
    host.userData = any.host.userData;
    ReplaceHostFunction(call, node, &host);
    any.host.fn = host.fn;
    any.host.userData = host.userData;
    *params = &any;
  }
};

template <typename P>
struct GraphHostNodeChange {
  HostNodeGiven given;
  void Before(CuCall& call, P& p) { given.Replace(call, p.hNode, &p.nodeParams); }
  void After(CuCall&, P&, CUresult) {}
};

template <typename P>
struct GraphHostNodeAsked {
  void Before(CuCall&, P&) {}
  void After(CuCall&, P& p, CUresult code) {
    if (code == CUDA_SUCCESS && p.nodeParams != nullptr) RestoreHostFunction(p.nodeParams);
  }
};

}  // namespace gpusan::cuda
