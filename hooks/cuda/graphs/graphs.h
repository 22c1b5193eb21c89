// Handlers: graphs, their nodes, executable graphs.
#pragma once

#include "hooks/cuda/call/releases_object.h"
#include "hooks/cuda/graphs/failed_updates.h"
#include "hooks/cuda/graphs/graph_host_functions.h"
#include "hooks/cuda/graphs/graph_plan.h"
#include "hooks/cuda/streams/stream_command.h"
#include "hooks/cuda/streams/user_objects.h"

namespace gpusan::cuda {

// The state of an executable graph beside the tracker's object. Its memory is reused and never
// freed.
struct GraphExec {
  SpinLock lock;  // guards the plan
  GraphPlan plan;
  EventRecord last;  // the end of its last launch
};

// --- functions of graphs.cc

void NewGraph(CuCall& call, CUgraph graph);
// Registers a graph that the driver owns: that into which a stream is captured, which the program
// gets with the end of the capture, or that inside of a node. Its handle may be that of a destroyed
// object.
void NewOwnedGraph(CuCall& call, CUgraph graph);
Object* UseGraph(CuCall& call, CUgraph graph, const char* argument);
// Before the real call. Returns nullptr when the graph is unknown or not usable (then a finding was
// added).
Object* DestroyGraph(CuCall& call, CUgraph graph);
void NewExec(CuCall& call, CUgraphExec exec, CUgraph graph);
GraphExec* UseExec(CuCall& call, CUgraphExec exec, const char* argument = "hGraphExec");
// Before the real call. Returns the replacements that its nodes own; release them when the call has
// succeeded.
std::vector<GraphHostFunction*> DestroyExec(CuCall& call, CUgraphExec exec);
// Before a call that replaces what the executable graph does: user objects that it references may
// be destroyed during the call.
void BeginReread(CuCall& call, GraphExec* exec);
// Reads the plan again after such a call.
void RereadExec(CuCall& call, GraphExec* exec, CUgraph graph);
// Checks bounds and pointers of a node that is about to be created or changed.
void CheckCopyNode(CuCall& call, const CUDA_MEMCPY3D* copy);
void CheckFillNode(CuCall& call, CUdeviceptr pointer, size_t pitch, unsigned element, size_t width,
                   size_t height);
void CheckNode(CuCall& call, const CUgraphNodeParams* params);
// Changes one node of the executable graph.
void ChangeNode(CuCall& call, GraphExec* exec, CUgraphNode node, const CUDA_MEMCPY3D& copy);
void ChangeNode(CuCall& call, GraphExec* exec, CUgraphNode node,
                const CUDA_MEMSET_NODE_PARAMS& fill);
void ChangeNode(CuCall& call, GraphExec* exec, CUgraphNode node,
                const CUDA_KERNEL_NODE_PARAMS& kernel);
void ChangeNode(CuCall& call, GraphExec* exec, CUgraphNode node,
                const CUDA_KERNEL_NODE_PARAMS_v1& kernel);
void ChangeNode(CuCall& call, GraphExec* exec, CUgraphNode node, const CUgraphNodeParams& params);
void ChangeNode(CuCall& call, GraphExec* exec, CUgraphNode node,
                const CUDA_BATCH_MEM_OP_NODE_PARAMS& operations);
void ChangeNode(CuCall& call, GraphExec* exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS& host);
// The part of ChangeNode before the real call; as ReplaceHostFunction.
GraphHostFunction* ReplaceExecHostFunction(CuCall& call, GraphExec* exec, CUgraphNode node,
                                           CUDA_HOST_NODE_PARAMS* host);
void ChangeNode(CuCall& call, GraphExec* exec, CUgraphNode node, CUevent event, bool record);
void ChangeNode(CuCall& call, GraphExec* exec, CUgraphNode node, CUgraph child);
void EnableNode(GraphExec* exec, CUgraphNode node, bool enabled);
// Records that the graph has a node with a copy of the child graph.
void AddedChild(CUgraph child, CUgraph graph, CUgraphNode node);
// Before a call that replaces the child graph of a node, if it does: other holders than the known
// ones get references to its user objects.
void KeepReferencesOfChild(const CUgraphNodeParams* params);
// Records that a graph or an executable graph has released its references to user objects, or
// restores them if the call failed. `pending`: launches may hold them.
void ReleasedHolder(CuCall& call, CUresult code, uintptr_t holder, std::vector<HeldReferences> held,
                    bool pending);
// Makes the plan unknown after a change that gpusan cannot read.
void ChangeUnseen(CuCall& call, GraphExec* exec);

// The references to user objects that an executable graph releases in a call.
struct ExecReferences {
  std::vector<HeldReferences> held;
  bool pending = false;
  // Before the real call.
  void Take(CuCall& call, CUgraphExec exec);
  void Release(CuCall& call, CUresult code, CUgraphExec exec) {
    if (!held.empty()) ReleasedHolder(call, code, HandleOf(exec), std::move(held), pending);
  }
};

// --- handlers

template <typename P>
struct GraphCreate {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) NewGraph(call, *p.phGraph);
  }
};

template <typename P>
struct GraphDestroy : ReleasesObject {
  std::vector<HeldReferences> held;
  void Before(CuCall& call, P& p) {
    released = DestroyGraph(call, p.hGraph);
    held = TakeUserReferences(call, HandleOf(p.hGraph));
  }
  void After(CuCall& call, CUresult code, P& p) {
    ReleasesObject::After(call, code, p);
    if (!held.empty()) ReleasedHolder(call, code, HandleOf(p.hGraph), std::move(held), false);
  }
};

template <typename P>
struct GraphCloned {
  void Before(CuCall& call, P& p) { UseGraph(call, p.originalGraph, "originalGraph"); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return;
    NewGraph(call, *p.phGraphClone);
    CopyOrigins(p.originalGraph, *p.phGraphClone);
    CopyUserReferences(HandleOf(p.originalGraph), HandleOf(*p.phGraphClone));
  }
};

template <typename P>
struct GraphAdd {
  HostNodeGiven given;
  void Before(CuCall& call, P& p) {
    UseGraph(call, p.hGraph, "hGraph");
    auto replace = [&](CUDA_HOST_NODE_PARAMS* host) { ReplaceHostFunction(call, p.hGraph, host); };
    if constexpr (requires { given.Replace(call, &p.nodeParams, replace); })
      given.Replace(call, &p.nodeParams, replace);
    if constexpr (requires { p.copyParams; }) CheckCopyNode(call, p.copyParams);
    if constexpr (requires { p.memsetParams; }) {
      if (p.memsetParams != nullptr)
        CheckFillNode(call, p.memsetParams->dst, p.memsetParams->pitch, p.memsetParams->elementSize,
                      p.memsetParams->width, p.memsetParams->height);
    }
    if constexpr (requires { p.nodeParams->reserved0; }) CheckNode(call, p.nodeParams);
    if constexpr (requires { p.childGraph; }) UseGraph(call, p.childGraph, "childGraph");
    if constexpr (requires { p.event; }) {
      call.tracker().objects().Use(call, HandleOf(p.event), MaskOf(ObjectKind::kRecordedEvent),
                                   "event");
    }
  }
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return;
    NoteNewNode(call, *p.phGraphNode);
    if constexpr (requires { p.childGraph; }) AddedChild(p.childGraph, p.hGraph, *p.phGraphNode);
    if constexpr (requires { p.nodeParams->accessDescs; }) {
      call.tracker().objects().ForgetReleased(p.nodeParams->dptr, p.nodeParams->bytesize);
    } else if constexpr (requires { p.nodeParams->reserved0; }) {
      if (p.nodeParams->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        call.tracker().objects().ForgetReleased(p.nodeParams->alloc.dptr,
                                                p.nodeParams->alloc.bytesize);
      if (p.nodeParams->type == CU_GRAPH_NODE_TYPE_GRAPH)
        AddedChild(p.nodeParams->graph.graph, p.hGraph, *p.phGraphNode);
      if (p.nodeParams->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
        for (unsigned i = 0; i < p.nodeParams->conditional.size; ++i)
          NewOwnedGraph(call, p.nodeParams->conditional.phGraph_out[i]);
      }
    }
  }
};

template <typename P>
struct GraphInNode {
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS) NewOwnedGraph(call, *p.phGraph);
  }
};

template <typename P>
struct GraphDestroyNode {
  void Before(CuCall&, P& p) {
    if (OriginOf(p.hNode).call != nullptr) ForgetNode(p.hNode);
  }
};

// Changes a node of a graph; later instantiations use the new parameters.
template <typename P>
struct GraphNodeChange {
  HostNodeGiven given;
  void Before(CuCall& call, P& p) {
    if constexpr (requires { p.nodeParams->srcMemoryType; }) {
      CheckCopyNode(call, p.nodeParams);
    } else if constexpr (requires { p.nodeParams->elementSize; }) {
      if (p.nodeParams != nullptr)
        CheckFillNode(call, p.nodeParams->dst, p.nodeParams->pitch, p.nodeParams->elementSize,
                      p.nodeParams->width, p.nodeParams->height);
    } else {
      CheckNode(call, p.nodeParams);
      KeepReferencesOfChild(p.nodeParams);
      given.Replace(call, &p.nodeParams,
                    [&](CUDA_HOST_NODE_PARAMS* host) { ReplaceHostFunction(call, p.hNode, host); });
    }
  }
};

template <typename P>
struct GraphInstantiate {
  void Before(CuCall& call, P& p) { UseGraph(call, p.hGraph, "hGraph"); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS) return;
    NewExec(call, *p.phGraphExec, p.hGraph);
    CopyUserReferences(HandleOf(p.hGraph), HandleOf(*p.phGraphExec));
  }
};

template <typename P>
struct GraphExecDestroy {
  std::vector<GraphHostFunction*> owned;
  ExecReferences references;
  void Before(CuCall& call, P& p) {
    references.Take(call, p.hGraphExec);
    owned = DestroyExec(call, p.hGraphExec);
  }
  void After(CuCall& call, CUresult code, P& p) {
    references.Release(call, code, p.hGraphExec);
    for (GraphHostFunction* function : owned) {
      code == CUDA_SUCCESS ? function->LetGo() : function->MayRunUnseen();
    }
  }
};

template <typename P>
struct GraphExecUpdate {
  GraphExec* exec = nullptr;
  ExecReferences references;
  void Before(CuCall& call, P& p) {
    exec = UseExec(call, p.hGraphExec);
    UseGraph(call, p.hGraph, "hGraph");
    references.Take(call, p.hGraphExec);
    BeginReread(call, exec);
  }
  void After(CuCall& call, CUresult code, P& p) {
    references.Release(call, code, p.hGraphExec);
    if (code == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE) [[unlikely]] {
      if constexpr (requires { p.resultInfo; }) {
        KeepFailedUpdate(call, p.hGraphExec, p.resultInfo->result, p.resultInfo->errorNode);
      } else {
        KeepFailedUpdate(call, p.hGraphExec, *p.updateResult_out, *p.hErrorNode_out);
      }
    }
    if (code != CUDA_SUCCESS) return;
    CopyUserReferences(HandleOf(p.hGraph), HandleOf(p.hGraphExec));
    if (exec != nullptr) RereadExec(call, exec, p.hGraph);
  }
};

template <typename P>
struct GraphExecChange {
  GraphExec* exec = nullptr;
  HostNodeGiven given;
  GraphHostFunction* made = nullptr;
  void Before(CuCall& call, P& p) {
    exec = UseExec(call, p.hGraphExec);
    auto replace = [&](CUDA_HOST_NODE_PARAMS* host) {
      made = ReplaceExecHostFunction(call, exec, p.hNode, host);
    };
    if constexpr (requires { given.Replace(call, &p.nodeParams, replace); })
      given.Replace(call, &p.nodeParams, replace);
    if constexpr (requires { p.copyParams; }) CheckCopyNode(call, p.copyParams);
    if constexpr (requires { p.nodeParams->reserved0; }) {
      CheckNode(call, p.nodeParams);
      KeepReferencesOfChild(p.nodeParams);
      if (p.nodeParams != nullptr && p.nodeParams->type == CU_GRAPH_NODE_TYPE_GRAPH)
        BeginReread(call, exec);
    } else if constexpr (requires { p.childGraph; }) {
      UseGraph(call, p.childGraph, "childGraph");
      KeepUserReferences(HandleOf(p.childGraph));
      BeginReread(call, exec);
    }
  }
  void After(CuCall& call, CUresult code, P& p) {
    if (code != CUDA_SUCCESS && made != nullptr) GiveBack(made);
    if (code != CUDA_SUCCESS || exec == nullptr) return;
    if constexpr (requires { p.copyParams; }) {
      ChangeNode(call, exec, p.hNode, *p.copyParams);
    } else if constexpr (requires { p.memsetParams; }) {
      ChangeNode(call, exec, p.hNode, *p.memsetParams);
    } else if constexpr (requires { p.isEnabled; }) {
      EnableNode(exec, p.hNode, p.isEnabled != 0);
    } else if constexpr (requires { p.childGraph; }) {
      ChangeNode(call, exec, p.hNode, p.childGraph);
    } else {
      ChangeNode(call, exec, p.hNode, *p.nodeParams);
    }
  }
};

template <typename P>
struct GraphExecRecordsEvent {
  GraphExec* exec = nullptr;
  bool record = true;
  void Before(CuCall& call, P& p) { exec = UseExec(call, p.hGraphExec); }
  void After(CuCall& call, CUresult code, P& p) {
    if (code == CUDA_SUCCESS && exec != nullptr) ChangeNode(call, exec, p.hNode, p.event, record);
  }
};

template <typename P>
struct GraphExecWaitsForEvent : GraphExecRecordsEvent<P> {
  GraphExecWaitsForEvent() { this->record = false; }
};

}  // namespace gpusan::cuda
