// Host functions that are nodes of graphs.
//
// Under preload gpusan replaces the function of a node. The replacement records that everything
// before the node, in its graph and before the launch, is complete for the host, and then runs the
// program's function, whose calls are intercepted. The driver copies the parameters of a node into
// clones, child graphs and executable graphs and does not report when it drops a copy. Therefore
// the replacement lives as long as the process, and is reused for a node with the same function,
// data and position in its graph. (User objects would report it, but driver 580 leaks 208 B for
// each executable graph with a user object.) The replacement for a node of an executable graph is
// released with the node and the launches that await it. gpusan does not replace the function if a
// fixed number of replacements exists, and where arguments may not be replaced. Everything before
// such a node counts as complete for the host when the graph is launched.
#pragma once

#include <cuda.h>

#include <vector>

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

// One launch of a graph that will call a function.
struct AwaitedRun {
  const void* graph = nullptr;  // the executable graph, as an identity only
  Epoch launch;                 // complete only after the function has returned
  uint32_t runs = 1;            // number of nodes with that function
  Snapshot before;              // what is complete when the function is called
};

// The replacement of one function. Thread-safe. Its memory is reused and never freed.
class GraphHostFunction {
 public:
  // Announces the calls of a launch. Call it before the real launch.
  void Await(AwaitedRun run);
  // Withdraws a launch that failed.
  void Cancel(Epoch launch);
  // Notes that the function may be called for launches without Await.
  void MayRunUnseen();
  // Releases a function that only one node of an executable graph uses, and that no later launch
  // calls.
  void LetGo();
  // Called by a thread of the driver.
  void Run();

  CUhostFn function() const { return function_; }
  void* data() const { return data_; }
  uint32_t position() const { return position_; }  // in its graph
  bool of_exec_node() const { return of_exec_node_; }

 private:
  friend class HostFunctionStore;  // graph_host_functions.cc
  void Start();
  void Keep();
  // True if the function was released and its last call is over.
  bool IsOver() const { return let_go_ && due_ == 0 && !kept_; }

  Tracker* tracker_ = nullptr;
  CUhostFn function_ = nullptr;
  void* data_ = nullptr;
  uint32_t position_ = 0;
  bool of_exec_node_ = false;

  SpinLock lock_;
  std::vector<AwaitedRun> awaited_;  // in the order of the launches
  bool runs_unseen_ = false;
  // For a node of an executable graph:
  bool let_go_ = false;
  bool kept_ = false;  // the number of future calls is unknown
  uint64_t due_ = 0;   // calls that launches have still to make
};

// --- functions of graph_host_functions.cc

// For a new node of the graph. Does nothing where arguments may not be replaced.
void ReplaceHostFunction(CuCall& call, CUgraph graph, CUDA_HOST_NODE_PARAMS* params);
// For an existing node with a function.
void ReplaceHostFunction(CuCall& call, CUgraphNode node, CUDA_HOST_NODE_PARAMS* params);
// For a node of an executable graph. `before`: its current replacement, nullptr if unknown. Returns
// the new replacement, which the caller passes to GiveBack if the real call fails; or nullptr.
GraphHostFunction* ReplaceHostFunction(CuCall& call, GraphHostFunction* before,
                                       CUDA_HOST_NODE_PARAMS* params);
void GiveBack(GraphHostFunction* function);
// Restores the function and data of the program.
void RestoreHostFunction(CUDA_HOST_NODE_PARAMS* params);
// Returns the replacement that the driver has for the node; nullptr if the node calls the program's
// function.
GraphHostFunction* HostFunctionOf(const CUDA_HOST_NODE_PARAMS& params);
GraphHostFunction* HostFunctionOf(CUgraphNode node);

// --- handlers

// The parameters of a node as passed to the driver. The object must not move until the real call
// has returned.
struct HostNodeGiven {
  CUDA_HOST_NODE_PARAMS host{};
  CUgraphNodeParams any{};

  // `replace` gets the parameters of a host node and may change them.
  template <typename Change>
  void Replace(CuCall& call, const CUDA_HOST_NODE_PARAMS** params, Change replace) {
    if (*params == nullptr || !call.may_change_arguments()) return;
    host = **params;
    replace(&host);
    *params = &host;
  }
  template <typename Change>
  void Replace(CuCall& call, CUgraphNodeParams** params, Change replace) {
    if (*params == nullptr || (*params)->type != CU_GRAPH_NODE_TYPE_HOST ||
        !call.may_change_arguments())
      return;
    any = **params;
    host.fn = any.host.fn;
    host.userData = any.host.userData;
    replace(&host);
    any.host.fn = host.fn;
    any.host.userData = host.userData;
    *params = &any;
  }
};

template <typename P>
struct GraphHostNodeChange {
  HostNodeGiven given;
  void Before(CuCall& call, P& p) {
    given.Replace(call, &p.nodeParams,
                  [&](CUDA_HOST_NODE_PARAMS* host) { ReplaceHostFunction(call, p.hNode, host); });
  }
};

template <typename P>
struct GraphHostNodeAsked {
  void After(CuCall&, CUresult code, P& p) {
    if (code == CUDA_SUCCESS && p.nodeParams != nullptr) RestoreHostFunction(p.nodeParams);
  }
};

}  // namespace gpusan::cuda
