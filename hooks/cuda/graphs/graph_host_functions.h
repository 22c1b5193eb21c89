// Host functions that are nodes of graphs.
//
// Under preload a node is given a function of gpusan's, which joins to the host what is
// before the node, in its graph and before the launch, and then runs the program's, watched. The
// driver copies what a node was given into clones, child graphs and executable graphs and tells
// nobody when it lets go: gpusan's part lives as long as the process, and serves again for a node
// of the same function, data and place in its graph. (User objects would tell, but a driver 580
// keeps 208 B for good of each executable graph that had one.) What a node of an executable graph
// is given goes with that node and the launches that await it. Beyond a number of functions that
// live as long as the process, and where arguments may not be replaced, the driver gets the
// program's own, and what is before the node counts as known to the host once the graph is
// launched.
#pragma once

#include <cuda.h>

#include <vector>

#include "hooks/cuda/call/call.h"

namespace gpusan::cuda {

// One launch of a graph that will call a function.
struct AwaitedRun {
  const void* graph = nullptr;  // the executable one, by identity
  Epoch launch;                 // complete only when the function has returned
  uint32_t runs = 1;            // nodes with that function
  Snapshot before;              // what is complete when the function is called
};

// Thread-safe. Its memory serves again for others, and is never given back.
class GraphHostFunction {
 public:
  // Before the real launch.
  void Await(AwaitedRun run);
  // The launch failed.
  void Cancel(Epoch launch);
  // From now on it may be called for launches that Await was not told of.
  void MayRunUnseen();
  // It was given to a node of an executable graph alone, and no launch that is made from now on
  // calls it.
  void LetGo();
  // The driver calls it.
  void Run();

  CUhostFn function() const { return function_; }
  void* data() const { return data_; }
  uint32_t place() const { return place_; }
  bool of_exec_node() const { return of_exec_node_; }

 private:
  friend class HostFunctionStore;  // graph_host_functions.cc
  void Start();
  void Keep();
  // The last run of one that was let go is over.
  bool IsOver() const { return let_go_ && due_ == 0 && !kept_; }

  Tracker* tracker_ = nullptr;
  CUhostFn function_ = nullptr;
  void* data_ = nullptr;
  uint32_t place_ = 0;
  bool of_exec_node_ = false;

  SpinLock lock_;
  std::vector<AwaitedRun> awaited_;  // in the order of the launches
  bool runs_unseen_ = false;
  // Of an executable graph's node:
  bool let_go_ = false;
  bool kept_ = false;  // nobody can tell how often it will be called
  uint64_t due_ = 0;   // calls that launches have still to make
};

// --- not templates (graph_host_functions.cc)

// For a new node of the graph; nothing where arguments may not be replaced.
void ReplaceHostFunction(CuCall& call, CUgraph graph, CUDA_HOST_NODE_PARAMS* params);
// For a node that has a function.
void ReplaceHostFunction(CuCall& call, CUgraphNode node, CUDA_HOST_NODE_PARAMS* params);
// For a node of an executable graph; `before`: what it calls now, if that is known. Returns what
// was made for it, which is to be given back should the call fail, or nullptr.
GraphHostFunction* ReplaceHostFunction(CuCall& call, GraphHostFunction* before,
                                       CUDA_HOST_NODE_PARAMS* params);
void GiveBack(GraphHostFunction* function);
// What the program gave the node.
void RestoreHostFunction(CUDA_HOST_NODE_PARAMS* params);
// As the driver has the node; nullptr: it calls the program's function.
GraphHostFunction* HostFunctionOf(const CUDA_HOST_NODE_PARAMS& params);
GraphHostFunction* HostFunctionOf(CUgraphNode node);

// --- handlers

// What a node is given, as the driver gets it. Its address must not change meanwhile.
struct HostNodeGiven {
  CUDA_HOST_NODE_PARAMS host{};
  CUgraphNodeParams any{};

  // `replace` gets the parameters of a host node, which it may change.
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
