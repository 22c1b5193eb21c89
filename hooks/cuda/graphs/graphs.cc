// Handlers: graphs, their nodes, executable graphs.
#include "hooks/cuda/graphs/graphs.h"

#include <mutex>

#include "hooks/cuda/arrays/shaped_copies.h"
#include "hooks/cuda/graphs/graph_host_functions.h"

namespace gpusan::cuda {
namespace {

// Executable graphs are never freed: a launch concurrent with a destroy reads old memory and not
// another object's.
SpinLock g_spare_lock;
std::vector<GraphExec*>* g_spare = nullptr;

GraphExec* TakeExec() {
  std::lock_guard lock(g_spare_lock);
  if (g_spare == nullptr || g_spare->empty()) return new GraphExec;
  GraphExec* exec = g_spare->back();
  g_spare->pop_back();
  return exec;
}

void GiveExec(GraphExec* exec) {
  {
    std::lock_guard lock(exec->lock);
    exec->plan.Clear();
    exec->last.Reset();
  }
  std::lock_guard lock(g_spare_lock);
  if (g_spare == nullptr) g_spare = new std::vector<GraphExec*>;
  g_spare->push_back(exec);
}

Object* ContextObject(CuCall& call) {
  Context* context = call.current();
  return context != nullptr ? context->object : nullptr;
}

// Applies a change to a node of the plan; makes the plan unknown if the node is not found.
template <typename Change>
void WithNode(GraphExec* exec, CUgraphNode handle, Change change) {
  ForgetFailedUpdate();
  std::lock_guard lock(exec->lock);
  PlanNode* node = exec->plan.Find(handle);
  if (node != nullptr) {
    change(node);
  } else {
    exec->plan.Forget();
  }
}

}  // namespace

void NewGraph(CuCall& call, CUgraph graph) {
  if (graph == nullptr) return;
  Object* known = call.tracker().objects().Find(Api::kCuda, HandleOf(graph));
  if (known != nullptr && known->kind == ObjectKind::kGraph && known->live()) {
    if (!known->owned) return;
    // The capture that owned the graph has ended: from now on the program owns it.
    call.tracker().objects().Release(call, known);
  }
  PlainObject* object = call.tracker().objects().NewPlain(call, ObjectKind::kGraph, HandleOf(graph),
                                                          ContextObject(call));
  NoteCreation(call, object, [](const Object& graph) {
    return static_cast<const PlainObject&>(graph).mark.load(std::memory_order_relaxed) != 0;
  });
}

void NewOwnedGraph(CuCall& call, CUgraph graph) {
  if (graph == nullptr) return;
  const Object* known = call.tracker().objects().Find(Api::kCuda, HandleOf(graph));
  if (known != nullptr && known->kind == ObjectKind::kGraph && known->live()) return;
  call.tracker()
      .objects()
      .NewPlain(call, ObjectKind::kGraph, HandleOf(graph), ContextObject(call))
      ->MarkOwned();
}

Object* UseGraph(CuCall& call, CUgraph graph, const char* argument) {
  return call.tracker().objects().Use(call, HandleOf(graph), MaskOf(ObjectKind::kGraph), argument);
}

Object* DestroyGraph(CuCall& call, CUgraph graph) {
  Object* object = call.tracker().objects().UseForRelease(call, HandleOf(graph),
                                                          MaskOf(ObjectKind::kGraph), "hGraph");
  if (object == nullptr) return nullptr;
  ForgetNodesOf(graph);
  call.tracker().objects().Release(call, object);
  return object;
}

void NewExec(CuCall& call, CUgraphExec handle, CUgraph graph) {
  ForgetFailedUpdate();
  PlainObject* object = call.tracker().objects().NewPlain(call, ObjectKind::kGraphExec,
                                                          HandleOf(handle), ContextObject(call));
  GraphExec* exec = TakeExec();
  {
    std::lock_guard lock(exec->lock);
    exec->plan.Read(call, graph);
  }
  object->native = exec;
  NoteCreation(call, object, [](const Object& last) {
    const auto* used = static_cast<const GraphExec*>(static_cast<const PlainObject&>(last).native);
    return used != nullptr && used->last.With([](const Snapshot&) {});
  });
  // The graph is used by being instantiated.
  Object* from = call.tracker().objects().Find(Api::kCuda, HandleOf(graph));
  if (from != nullptr && from->kind == ObjectKind::kGraph)
    static_cast<PlainObject*>(from)->mark.store(1, std::memory_order_relaxed);
}

GraphExec* UseExec(CuCall& call, CUgraphExec exec, const char* argument) {
  Object* object =
      call.tracker().objects().Use(call, HandleOf(exec), MaskOf(ObjectKind::kGraphExec), argument);
  return object != nullptr ? static_cast<GraphExec*>(static_cast<PlainObject*>(object)->native)
                           : nullptr;
}

std::vector<GraphHostFunction*> DestroyExec(CuCall& call, CUgraphExec handle) {
  Object* object = call.tracker().objects().UseForRelease(
      call, HandleOf(handle), MaskOf(ObjectKind::kGraphExec), "hGraphExec");
  if (object == nullptr) return {};
  auto* exec = static_cast<GraphExec*>(static_cast<PlainObject*>(object)->native);
  call.tracker().objects().Release(call, object);
  if (exec == nullptr) return {};
  LetGoOfUserObjects(call, exec->last);
  std::vector<GraphHostFunction*> owned;
  {
    std::lock_guard lock(exec->lock);
    owned = exec->plan.TakeHostFunctions();
  }
  GiveExec(exec);
  return owned;
}

void AddedChild(CUgraph child, CUgraph graph, CUgraphNode node) {
  CopyOriginsOfChild(child, node);
  CopyUserReferences(HandleOf(child), HandleOf(graph), true);
}

void KeepReferencesOfChild(const CUgraphNodeParams* params) {
  if (params != nullptr && params->type == CU_GRAPH_NODE_TYPE_GRAPH)
    KeepUserReferences(HandleOf(params->graph.graph));
}

void ReleasedHolder(CuCall& call, CUresult code, uintptr_t holder, std::vector<HeldReferences> held,
                    bool pending) {
  if (code == CUDA_SUCCESS) {
    DropUserReferences(call, held, pending);
  } else {
    PutUserReferences(holder, std::move(held));
  }
}

void ExecReferences::Take(CuCall& call, CUgraphExec handle) {
  held = TakeUserReferences(call, HandleOf(handle));
  if (held.empty()) return;
  const Object* object = call.tracker().objects().Find(Api::kCuda, HandleOf(handle));
  if (object == nullptr || object->kind != ObjectKind::kGraphExec) return;
  const auto* exec = static_cast<const GraphExec*>(static_cast<const PlainObject*>(object)->native);
  Snapshot last;
  if (exec == nullptr || !exec->last.Get(&last)) return;
  last.clock.Prune(call.tracker().ordering().host());
  pending = last.gates != 0 || !last.clock.empty();
}

void BeginReread(CuCall& call, GraphExec* exec) {
  if (exec != nullptr) LetGoOfUserObjects(call, exec->last);
}

void RereadExec(CuCall& call, GraphExec* exec, CUgraph graph) {
  ForgetFailedUpdate();
  std::lock_guard lock(exec->lock);
  exec->plan.ReadUpdate(call, graph);
}

// --- nodes

void CheckCopyNode(CuCall& call, const CUDA_MEMCPY3D* copy) {
  if (copy == nullptr) return;
  CopyState state;
  SetSides(call, Shaped(*copy), &state);
  if (!state.usable) return;
  state.transfer.recorded = true;
  call.tracker().accesses().CheckTransfer(call, state.transfer);
}

void CheckFillNode(CuCall& call, CUdeviceptr pointer, size_t pitch, unsigned element, size_t width,
                   size_t height) {
  Transfer transfer;
  bool usable = true;
  const uint64_t row = SaturatingMultiply(width, element);
  transfer.kind = TransferKind::kFill;
  transfer.recorded = true;
  transfer.pattern_bytes = element;
  transfer.destination =
      DeviceSide(call, pointer, Region::Strided(0, row, height, height > 1 ? pitch : row, 1, 0),
                 "dst", &usable);
  if (height > 1) {
    transfer.destination.pitches_given = true;
    transfer.destination.row_pitch = pitch;
    transfer.destination.row_bytes = row;
    transfer.destination.rows = height;
  }
  if (usable) call.tracker().accesses().CheckTransfer(call, transfer);
}

void CheckNode(CuCall& call, const CUgraphNodeParams* params) {
  if (params == nullptr) return;
  if (params->type == CU_GRAPH_NODE_TYPE_MEMCPY) {
    CheckCopyNode(call, &params->memcpy.copyParams);
  } else if (params->type == CU_GRAPH_NODE_TYPE_MEMSET) {
    const auto& fill = params->memset;
    CheckFillNode(call, fill.dst, fill.pitch, fill.elementSize, fill.width, fill.height);
  } else if (params->type == CU_GRAPH_NODE_TYPE_GRAPH) {
    UseGraph(call, params->graph.graph, "nodeParams->graph.graph");
  }
}

void ChangeNode(CuCall& call, GraphExec* exec, CUgraphNode handle, const CUDA_MEMCPY3D& copy) {
  WithNode(exec, handle, [&](PlanNode* node) { exec->plan.SetCopy(call, node, copy); });
}

void ChangeNode(CuCall& call, GraphExec* exec, CUgraphNode handle,
                const CUDA_MEMSET_NODE_PARAMS& fill) {
  WithNode(exec, handle, [&](PlanNode* node) { exec->plan.SetFill(call, node, fill); });
}

void ChangeNode(CuCall& call, GraphExec* exec, CUgraphNode handle,
                const CUDA_KERNEL_NODE_PARAMS& kernel) {
  WithNode(exec, handle, [&](PlanNode* node) { exec->plan.SetKernel(call, node, kernel); });
}

void ChangeNode(CuCall& call, GraphExec* exec, CUgraphNode handle,
                const CUDA_KERNEL_NODE_PARAMS_v1& kernel) {
  ChangeNode(call, exec, handle,
             CUDA_KERNEL_NODE_PARAMS{kernel.func, kernel.gridDimX, kernel.gridDimY, kernel.gridDimZ,
                                     kernel.blockDimX, kernel.blockDimY, kernel.blockDimZ,
                                     kernel.sharedMemBytes, kernel.kernelParams, kernel.extra,
                                     nullptr, nullptr});
}

void ChangeNode(CuCall&, GraphExec* exec, CUgraphNode handle,
                const CUDA_BATCH_MEM_OP_NODE_PARAMS& operations) {
  WithNode(exec, handle, [&](PlanNode* node) {
    exec->plan.SetOperations(node, operations.paramArray, operations.count);
  });
}

GraphHostFunction* ReplaceExecHostFunction(CuCall& call, GraphExec* exec, CUgraphNode handle,
                                           CUDA_HOST_NODE_PARAMS* host) {
  if (exec == nullptr) return nullptr;
  GraphHostFunction* before = nullptr;
  {
    std::lock_guard lock(exec->lock);
    const PlanNode* node = exec->plan.Find(handle);
    if (node == nullptr) return nullptr;
    before = node->host_function;
  }
  return ReplaceHostFunction(call, before, host);
}

void ChangeNode(CuCall&, GraphExec* exec, CUgraphNode handle, const CUDA_HOST_NODE_PARAMS& host) {
  GraphHostFunction* function = HostFunctionOf(host);
  WithNode(exec, handle, [&](PlanNode* node) {
    exec->plan.SetHostFunction(node, function, function != nullptr && function->of_exec_node());
  });
}

void ChangeNode(CuCall& call, GraphExec* exec, CUgraphNode handle, CUevent event, bool record) {
  WithNode(exec, handle, [&](PlanNode* node) { exec->plan.SetEvent(call, node, event, record); });
}

void ChangeNode(CuCall& call, GraphExec* exec, CUgraphNode handle, CUgraph child) {
  WithNode(exec, handle, [&](PlanNode* node) { exec->plan.SetChild(call, node, child); });
}

void ChangeNode(CuCall& call, GraphExec* exec, CUgraphNode handle,
                const CUgraphNodeParams& params) {
  switch (params.type) {
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return ChangeNode(call, exec, handle, params.memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET: {
      const auto& fill = params.memset;
      return ChangeNode(call, exec, handle,
                        CUDA_MEMSET_NODE_PARAMS{fill.dst, fill.pitch, fill.value, fill.elementSize,
                                                fill.width, fill.height});
    }
    case CU_GRAPH_NODE_TYPE_KERNEL: {
      const auto& kernel = params.kernel;
      return ChangeNode(
          call, exec, handle,
          CUDA_KERNEL_NODE_PARAMS{kernel.func, kernel.gridDimX, kernel.gridDimY, kernel.gridDimZ,
                                  kernel.blockDimX, kernel.blockDimY, kernel.blockDimZ,
                                  kernel.sharedMemBytes, kernel.kernelParams, kernel.extra,
                                  kernel.kern, kernel.ctx});
    }
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return ChangeNode(call, exec, handle, params.eventWait.event, false);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return ChangeNode(call, exec, handle, params.eventRecord.event, true);
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return ChangeNode(call, exec, handle, params.graph.graph);
    case CU_GRAPH_NODE_TYPE_HOST:
      return ChangeNode(call, exec, handle,
                        CUDA_HOST_NODE_PARAMS{params.host.fn, params.host.userData});
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
      return;  // only their presence matters
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      return WithNode(exec, handle, [&](PlanNode* node) {
        exec->plan.SetOperations(node, params.memOp.paramArray, params.memOp.count);
      });
    default:
      ChangeUnseen(call, exec);
  }
}

void EnableNode(GraphExec* exec, CUgraphNode handle, bool enabled) {
  WithNode(exec, handle, [&](PlanNode* node) { exec->plan.Enable(node, enabled); });
}

void ChangeUnseen(CuCall& call, GraphExec* exec) {
  ForgetFailedUpdate();
  LetGoOfUserObjects(call, exec->last);
  std::lock_guard lock(exec->lock);
  exec->plan.Forget();
}

}  // namespace gpusan::cuda
