// Host functions that are nodes of graphs.
//
// Under the preload doors a node is given a function of gpusan's, which joins to the host what is
// before the node, in its graph and before the launch, and then runs the program's, watched. The
// driver copies what a node was given into clones, child graphs and executable graphs, and calls it
// for launches that are pending when those are gone. gpusan's part therefore goes with
// - a user object of the graph that has the node, which the driver keeps wherever it keeps a copy;
// - or, given to a node of an executable graph, the node and the launches that await it.
// Some have no such owner (drivers before CUDA 11.3; nodes whose graph is not known): they live as
// long as the process and serve again for a node of the same function, data and place. Once there
// are too many of them, and where arguments may not be replaced, the driver gets the program's own
// function, and what is before the node counts as known to the host once the graph is launched.
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

// Thread-safe. Its memory serves again for others, and is never given back.
class GraphHostFunction {
 public:
  // Who says that the driver will not call it any more.
  enum class Owner {
    kNobody,
    kUserObject,
    kExecNode,  // LetGo does
  };

  // Before the real launch.
  void Await(AwaitedRun run);
  // The launch failed.
  void Cancel(Epoch launch);
  // From now on it may be called for launches that Await was not told of.
  void MayRunUnseen();
  // No launch that is made from now on calls it. Of kExecNode alone.
  void LetGo();
  // The driver calls it.
  void Run();

  CUhostFn function() const { return function_; }
  void* data() const { return data_; }
  uint32_t place() const { return place_; }
  bool of_exec_node() const { return owner_ == Owner::kExecNode; }
  CUuserObject object() const { return object_; }

 private:
  friend class HostFunctionStore;  // graph_host_functions.cc
  void Start();
  void Keep();
  // The last run of one that was let go is over.
  bool IsOver() const { return let_go_ && due_ == 0 && !runs_unseen_ && !kept_; }

  Tracker* tracker_ = nullptr;
  CUhostFn function_ = nullptr;
  void* data_ = nullptr;
  uint32_t place_ = 0;  // kNobody: tells nodes of one graph apart that are given the same
  Owner owner_ = Owner::kNobody;
  CUuserObject object_ = nullptr;

  SpinLock lock_;
  std::vector<AwaitedRun> awaited_;  // in the order of the launches
  bool runs_unseen_ = false;
  bool let_go_ = false;
  bool kept_ = false;  // nobody can tell how often it will be called
  uint64_t due_ = 0;   // calls that launches have still to make
};

// --- not templates (graph_host_functions.cc)

// One call that gives a host node what it is to call. Begin: before the real call, with a copy of
// the parameters that it then gets; End: behind it.
class HostNodeCall {
 public:
  // A new node of the graph, which is told again at the end: a capture may not know it before.
  void BeginAdd(CuCall& call, CUgraph graph, CUDA_HOST_NODE_PARAMS* params);
  void EndAdd(CUgraph graph, CUresult code);
  // A node of a graph.
  void BeginChange(CuCall& call, CUgraphNode node, CUDA_HOST_NODE_PARAMS* params);
  void EndChange(CUresult code);
  // A node of an executable graph; `before`: what it calls now, if that is known.
  void BeginExecChange(CuCall& call, GraphHostFunction* before, CUDA_HOST_NODE_PARAMS* params);
  void EndExecChange(CUresult code);
  // The node goes.
  void BeginDestroy(CuCall& call, CUgraphNode node);
  void EndDestroy(CUresult code);

 private:
  GraphHostFunction* made_ = nullptr;  // it has an owner
  GraphHostFunction* old_ = nullptr;
  CUgraph graph_ = nullptr;  // which keeps the old one
};

// What the program gave the node.
void RestoreHostFunction(CUDA_HOST_NODE_PARAMS* params);
// As the driver has the node; nullptr: it calls the program's function.
GraphHostFunction* HostFunctionOf(const CUDA_HOST_NODE_PARAMS& params);
GraphHostFunction* HostFunctionOf(CUgraphNode node);
// A launch of an executable graph was captured: a child graph of `graph` calls the function, too.
void KeepForGraph(CUgraph graph, GraphHostFunction* function);
// In a child of fork().
void ForgetHostFunctions();

// --- handlers

// What a node is given, as the driver gets it. Its address must not change meanwhile.
struct HostNodeGiven {
  CUDA_HOST_NODE_PARAMS host{};
  CUgraphNodeParams any{};
  HostNodeCall node;

  // `begin` gets the parameters of a host node, which it may change.
  template <typename Begin>
  void Replace(CuCall& call, const CUDA_HOST_NODE_PARAMS** params, Begin begin) {
    if (*params == nullptr || !call.may_change_arguments()) return;
    host = **params;
    begin(&host);
    *params = &host;
  }
  template <typename Begin>
  void Replace(CuCall& call, CUgraphNodeParams** params, Begin begin) {
    if (*params == nullptr || (*params)->type != CU_GRAPH_NODE_TYPE_HOST ||
        !call.may_change_arguments())
      return;
    any = **params;
    host.fn = any.host.fn;
    host.userData = any.host.userData;
    begin(&host);
    any.host.fn = host.fn;
    any.host.userData = host.userData;
    *params = &any;
  }
};

template <typename P>
struct GraphHostNodeChange {
  HostNodeGiven given;
  void Before(CuCall& call, P& p) {
    given.Replace(call, &p.nodeParams, [&](CUDA_HOST_NODE_PARAMS* host) {
      given.node.BeginChange(call, p.hNode, host);
    });
  }
  void After(CuCall&, P&, CUresult code) { given.node.EndChange(code); }
};

template <typename P>
struct GraphHostNodeAsked {
  void Before(CuCall&, P&) {}
  void After(CuCall&, P& p, CUresult code) {
    if (code == CUDA_SUCCESS && p.nodeParams != nullptr) RestoreHostFunction(p.nodeParams);
  }
};

}  // namespace gpusan::cuda
