// See the header.
#include "hooks/cuda/graph_host_functions.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "hooks/cuda/graph_nodes.h"
#include "hooks/cuda/process_state.h"
#include "hooks/host/guard.h"

namespace gpusan::cuda {

// All there are. Thread-safe; calls nothing of the driver's.
class HostFunctionStore {
 public:
  // nullptr: too many are kept for good, as those of executable graphs may have to be.
  GraphHostFunction* Take(CuCall& call, const CUDA_HOST_NODE_PARAMS& params,
                          GraphHostFunction::Owner owner) {
    std::lock_guard lock(lock_);
    if (owner == GraphHostFunction::Owner::kExecNode && kept_ >= kMaxKept) return nullptr;
    return TakeSpare(call, params, owner);
  }
  // One that nobody owns.
  GraphHostFunction* Share(CuCall& call, const CUDA_HOST_NODE_PARAMS& params, uint32_t place) {
    std::lock_guard lock(lock_);
    auto known = shared_.find({params.fn, params.userData, place});
    if (known != shared_.end()) return known->second;
    if (kept_ >= kMaxKept) return nullptr;
    ++kept_;
    GraphHostFunction* made = TakeSpare(call, params, GraphHostFunction::Owner::kNobody);
    made->place_ = place;
    shared_.emplace(std::tuple(params.fn, params.userData, place), made);
    return made;
  }
  void SetObject(GraphHostFunction* function, CUuserObject object) { function->object_ = object; }
  // The driver will not call it any more.
  void GiveBack(GraphHostFunction* function) {
    {
      std::lock_guard lock(function->lock_);
      function->awaited_.clear();
      function->runs_unseen_ = function->let_go_ = function->kept_ = false;
      function->due_ = 0;
      function->object_ = nullptr;
    }
    std::lock_guard lock(lock_);
    spare_.push_back(function);
  }
  // One more will never be given back.
  void CountKept() {
    std::lock_guard lock(lock_);
    ++kept_;
  }

 private:
  // They take some 200 B each.
  static constexpr size_t kMaxKept = 4096;

  GraphHostFunction* TakeSpare(CuCall& call, const CUDA_HOST_NODE_PARAMS& params,
                               GraphHostFunction::Owner owner) {
    GraphHostFunction* taken;
    if (spare_.empty()) {
      taken = new GraphHostFunction;
    } else {
      taken = spare_.back();
      spare_.pop_back();
    }
    taken->tracker_ = &call.tracker();
    taken->function_ = params.fn;
    taken->data_ = params.userData;
    taken->place_ = 0;
    taken->owner_ = owner;
    return taken;
  }

  SpinLock lock_;
  std::map<std::tuple<CUhostFn, void*, uint32_t>, GraphHostFunction*> shared_;
  std::vector<GraphHostFunction*> spare_;
  size_t kept_ = 0;
};

namespace {

constinit ProcessState<HostFunctionStore> g_store;

void CUDA_CB RunGraphFunction(void* data) { static_cast<GraphHostFunction*>(data)->Run(); }

// On a thread of the driver's, once no graph, executable graph or launch has the user object.
void CUDA_CB GiveBackFunction(void* data) {
  ReentryGuard guard;
  g_store.Get().GiveBack(static_cast<GraphHostFunction*>(data));
}

// With a user object that has one reference, the caller's; nullptr where there can be none.
GraphHostFunction* TakeWithObject(CuCall& call, const CUDA_HOST_NODE_PARAMS& params) {
  const auto create = GPUSAN_CU_REAL(cuUserObjectCreate);
  if (create == nullptr || GPUSAN_CU_REAL(cuGraphRetainUserObject) == nullptr) return nullptr;
  GraphHostFunction* made = g_store.Get().Take(call, params, GraphHostFunction::Owner::kUserObject);
  if (made == nullptr) return nullptr;
  CUuserObject object = nullptr;
  if (create(&object, made, &GiveBackFunction, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC) !=
      CUDA_SUCCESS) {
    g_store.Get().GiveBack(made);
    return nullptr;
  }
  g_store.Get().SetObject(made, object);
  return made;
}

// The caller's reference becomes the graph's. Where that cannot be, it stays for good.
void HandToGraph(CUgraph graph, GraphHostFunction* function) {
  const auto retain = GPUSAN_CU_REAL(cuGraphRetainUserObject);
  if (graph == nullptr ||
      retain(graph, function->object(), 1, CU_GRAPH_USER_OBJECT_MOVE) != CUDA_SUCCESS)
    g_store.Get().CountKept();
}

uint32_t CountNodes(CUgraph graph) {
  const auto ask = GPUSAN_CU_REAL(cuGraphGetNodes);
  size_t count = 0;
  if (ask != nullptr && graph != nullptr) ask(graph, nullptr, &count);
  return static_cast<uint32_t>(count);
}

// The graph that has the node; nullptr where that is not certain, as for nodes of child graphs. The
// driver is asked, since what was noted of the node may have been said of an older one.
CUgraph GraphOf(CuCall& call, CUgraphNode node) {
  CUgraph graph = OriginOf(node).graph;
  if (graph == nullptr) return nullptr;
  const Object* object = call.tracker().Find(Api::kCuda, HandleOf(graph));
  if (object == nullptr || object->kind != ObjectKind::kGraph || !object->live()) return nullptr;
  const std::vector<CUgraphNode> nodes = NodesOf(graph);
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end() ? graph : nullptr;
}

// nullptr: the driver gets the program's own.
void Give(GraphHostFunction* function, CUDA_HOST_NODE_PARAMS* params) {
  if (function == nullptr) return;
  params->fn = &RunGraphFunction;
  params->userData = function;
}

bool IsGiven(const GraphHostFunction& function, const CUDA_HOST_NODE_PARAMS& params) {
  return function.function() == params.fn && function.data() == params.userData;
}

}  // namespace

void ForgetHostFunctions() { g_store.Forget(); }

void RestoreHostFunction(CUDA_HOST_NODE_PARAMS* params) {
  const GraphHostFunction* own = HostFunctionOf(*params);
  if (own == nullptr) return;
  params->fn = own->function();
  params->userData = own->data();
}

GraphHostFunction* HostFunctionOf(const CUDA_HOST_NODE_PARAMS& params) {
  return params.fn == &RunGraphFunction ? static_cast<GraphHostFunction*>(params.userData)
                                        : nullptr;
}

GraphHostFunction* HostFunctionOf(CUgraphNode node) {
  const auto type_of = GPUSAN_CU_REAL(cuGraphNodeGetType);
  const auto ask = GPUSAN_CU_REAL(cuGraphHostNodeGetParams);
  CUgraphNodeType type;
  CUDA_HOST_NODE_PARAMS params{};
  if (type_of == nullptr || ask == nullptr || type_of(node, &type) != CUDA_SUCCESS ||
      type != CU_GRAPH_NODE_TYPE_HOST || ask(node, &params) != CUDA_SUCCESS)
    return nullptr;
  return HostFunctionOf(params);
}

void KeepForGraph(CUgraph graph, GraphHostFunction* function) {
  if (function->of_exec_node()) function->MayRunUnseen();
  if (function->object() == nullptr) return;
  const auto retain = GPUSAN_CU_REAL(cuGraphRetainUserObject);
  if (graph != nullptr && retain(graph, function->object(), 1, 0) == CUDA_SUCCESS) return;
  const auto keep = GPUSAN_CU_REAL(cuUserObjectRetain);
  if (keep != nullptr) keep(function->object(), 1);
  g_store.Get().CountKept();
}

// --- what calls give nodes

void HostNodeCall::BeginAdd(CuCall& call, CUgraph graph, CUDA_HOST_NODE_PARAMS* params) {
  if (params->fn == nullptr || !call.may_change_arguments()) return;
  RestoreHostFunction(params);  // the driver's answer to somebody who does not come by this door
  made_ = TakeWithObject(call, *params);
  Give(made_ != nullptr ? made_ : g_store.Get().Share(call, *params, CountNodes(graph)), params);
}

void HostNodeCall::EndAdd(CUgraph graph, CUresult code) {
  if (made_ == nullptr) return;
  if (code == CUDA_SUCCESS) {
    HandToGraph(graph, made_);
  } else {
    GPUSAN_CU_REAL(cuUserObjectRelease)(made_->object(), 1);
  }
}

void HostNodeCall::BeginChange(CuCall& call, CUgraphNode node, CUDA_HOST_NODE_PARAMS* params) {
  if (params->fn == nullptr || !call.may_change_arguments()) return;
  RestoreHostFunction(params);
  old_ = HostFunctionOf(node);
  if (old_ != nullptr && IsGiven(*old_, *params)) return Give(std::exchange(old_, nullptr), params);
  graph_ = GraphOf(call, node);
  if (graph_ != nullptr) made_ = TakeWithObject(call, *params);
  const uint32_t place = old_ != nullptr ? old_->place() : 0;
  Give(made_ != nullptr ? made_ : g_store.Get().Share(call, *params, place), params);
}

void HostNodeCall::EndChange(CUresult code) {
  EndAdd(graph_, code);
  EndDestroy(code);
}

void HostNodeCall::BeginExecChange(CuCall& call, GraphHostFunction* before,
                                   CUDA_HOST_NODE_PARAMS* params) {
  if (params->fn == nullptr || !call.may_change_arguments()) return;
  RestoreHostFunction(params);
  if (before != nullptr && IsGiven(*before, *params)) return Give(before, params);
  made_ = g_store.Get().Take(call, *params, GraphHostFunction::Owner::kExecNode);
  Give(made_, params);
}

void HostNodeCall::EndExecChange(CUresult code) {
  if (made_ != nullptr && code != CUDA_SUCCESS) g_store.Get().GiveBack(made_);
}

void HostNodeCall::BeginDestroy(CuCall& call, CUgraphNode node) {
  if (!call.may_change_arguments()) return;
  old_ = HostFunctionOf(node);
  if (old_ != nullptr) graph_ = GraphOf(call, node);
}

void HostNodeCall::EndDestroy(CUresult code) {
  // What copies the graph has keep references of their own.
  if (code == CUDA_SUCCESS && graph_ != nullptr && old_ != nullptr && old_->object() != nullptr)
    GPUSAN_CU_REAL(cuGraphReleaseUserObject)(graph_, old_->object(), 1);
}

// --- runs

void GraphHostFunction::Await(AwaitedRun run) {
  std::lock_guard lock(lock_);
  // What will never be called any more, since its context is gone.
  std::erase_if(awaited_,
                [&](const AwaitedRun& old) { return tracker_->host().Completed(old.launch); });
  due_ += run.runs;
  awaited_.push_back(std::move(run));
}

void GraphHostFunction::Cancel(Epoch launch) {
  std::lock_guard lock(lock_);
  std::erase_if(awaited_, [&](const AwaitedRun& run) { return run.launch == launch; });
  Keep();
}

void GraphHostFunction::MayRunUnseen() {
  std::lock_guard lock(lock_);
  runs_unseen_ = true;
  Keep();
}

void GraphHostFunction::Keep() {
  if (owner_ != Owner::kExecNode || kept_) return;
  kept_ = true;
  g_store.Get().CountKept();
}

void GraphHostFunction::LetGo() {
  {
    std::lock_guard lock(lock_);
    let_go_ = true;
    if (!IsOver()) return;
  }
  g_store.Get().GiveBack(this);
}

// Launches of one executable graph run one behind the other, and so do those in one stream. Of
// others nobody can tell which one calls: it may be any that is pending.
void GraphHostFunction::Start() {
  std::lock_guard lock(lock_);
  std::erase_if(awaited_,
                [&](const AwaitedRun& run) { return tracker_->host().Completed(run.launch); });
  if (awaited_.empty()) return;
  auto first = awaited_.begin();
  const bool one_graph = std::all_of(awaited_.begin(), awaited_.end(), [&](const AwaitedRun& run) {
    return run.graph == first->graph;
  });
  const bool one_stream = std::all_of(awaited_.begin(), awaited_.end(), [&](const AwaitedRun& run) {
    return run.launch.timeline() == first->launch.timeline();
  });
  if (runs_unseen_ || (!one_graph && !one_stream)) {
    for (const AwaitedRun& run : awaited_) tracker_->WaitSnapshot(run.before);
  } else {
    if (!one_graph) {
      first = std::min_element(awaited_.begin(), awaited_.end(),
                               [](const AwaitedRun& a, const AwaitedRun& b) {
                                 return a.launch.tick() < b.launch.tick();
                               });
    }
    tracker_->WaitSnapshot(first->before);
  }
  if (!runs_unseen_ && --first->runs == 0) awaited_.erase(first);
}

void GraphHostFunction::Run() {
  {
    ReentryGuard guard;
    Start();
  }
  {
    ReentryPause pause;
    function_(data_);
  }
  if (!of_exec_node()) return;
  ReentryGuard guard;
  {
    std::lock_guard lock(lock_);
    if (due_ == 0) {
      Keep();  // a launch that nobody saw
    } else {
      --due_;
    }
    if (!IsOver()) return;
  }
  g_store.Get().GiveBack(this);
}

}  // namespace gpusan::cuda
