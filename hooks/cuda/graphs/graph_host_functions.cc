// Host functions that are nodes of graphs.
#include "hooks/cuda/graphs/graph_host_functions.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "hooks/common/base/process_state.h"
#include "hooks/common/guard.h"
#include "hooks/cuda/graphs/running_host_functions.h"

namespace gpusan::cuda {

// All replacements. Thread-safe; does not call the driver.
class HostFunctionStore {
 public:
  // Returns a replacement that lives as long as the process; nullptr if there are too many.
  GraphHostFunction* Share(CuCall& call, const CUDA_HOST_NODE_PARAMS& params, uint32_t position) {
    std::lock_guard lock(lock_);
    const std::tuple key(params.fn, params.userData, position);
    if (auto known = shared_.find(key); known != shared_.end()) return known->second;
    if (shared_.size() == kMost) return nullptr;
    return shared_[key] = TakeSpare(call, params, position, false);
  }
  // Returns a replacement for a node of an executable graph; nullptr if too many were not given
  // back.
  GraphHostFunction* Take(CuCall& call, const CUDA_HOST_NODE_PARAMS& params) {
    std::lock_guard lock(lock_);
    return kept_ >= kMost ? nullptr : TakeSpare(call, params, 0, true);
  }
  // Requires that the driver no longer calls the function.
  void GiveBack(GraphHostFunction* function) {
    {
      std::lock_guard lock(function->lock_);
      function->awaited_.clear();
      function->runs_unseen_ = function->let_go_ = false;
    }
    std::lock_guard lock(lock_);
    spare_.push_back(function);
  }
  // Counts a replacement that will never be given back.
  void CountKept() {
    std::lock_guard lock(lock_);
    ++kept_;
  }

 private:
  // Each takes some 200 B.
  static constexpr size_t kMost = 1024;

  GraphHostFunction* TakeSpare(CuCall& call, const CUDA_HOST_NODE_PARAMS& params, uint32_t position,
                               bool of_exec_node) {
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
    taken->position_ = position;
    taken->of_exec_node_ = of_exec_node;
    return taken;
  }

  SpinLock lock_;
  std::map<std::tuple<CUhostFn, void*, uint32_t>, GraphHostFunction*> shared_;
  std::vector<GraphHostFunction*> spare_;
  size_t kept_ = 0;
};

namespace {

constinit ProcessState<HostFunctionStore> g_store;
const ForkReset g_reset([] { g_store.Forget(); });

void CUDA_CB RunGraphFunction(void* data) { static_cast<GraphHostFunction*>(data)->Run(); }

// nullptr: the driver gets the program's function.
void Give(GraphHostFunction* function, CUDA_HOST_NODE_PARAMS* params) {
  if (function == nullptr) return;
  params->fn = &RunGraphFunction;
  params->userData = function;
}

// `position` distinguishes nodes of one graph with the same function and data.
void Replace(CuCall& call, uint32_t position, CUDA_HOST_NODE_PARAMS* params) {
  if (params->fn == nullptr || !call.may_change_arguments()) return;
  RestoreHostFunction(params);  // undoes the replacement in the driver's own answer
  Give(g_store.Get().Share(call, *params, position), params);
}

}  // namespace

void GiveBack(GraphHostFunction* function) { g_store.Get().GiveBack(function); }

void ReplaceHostFunction(CuCall& call, CUgraph graph, CUDA_HOST_NODE_PARAMS* params) {
  const auto query = GPUSAN_CU_REAL(cuGraphGetNodes);
  size_t count = 0;
  if (query != nullptr && graph != nullptr) query(graph, nullptr, &count);
  Replace(call, static_cast<uint32_t>(count), params);
}

void ReplaceHostFunction(CuCall& call, CUgraphNode node, CUDA_HOST_NODE_PARAMS* params) {
  const GraphHostFunction* before = HostFunctionOf(node);
  Replace(call, before != nullptr ? before->position() : 0, params);
}

GraphHostFunction* ReplaceHostFunction(CuCall& call, GraphHostFunction* before,
                                       CUDA_HOST_NODE_PARAMS* params) {
  if (params->fn == nullptr || !call.may_change_arguments()) return nullptr;
  RestoreHostFunction(params);
  if (before != nullptr && before->function() == params->fn && before->data() == params->userData) {
    Give(before, params);
    return nullptr;
  }
  GraphHostFunction* made = g_store.Get().Take(call, *params);
  Give(made, params);
  return made;
}

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
  const auto query = GPUSAN_CU_REAL(cuGraphHostNodeGetParams);
  CUDA_HOST_NODE_PARAMS params{};
  if (query == nullptr || query(node, &params) != CUDA_SUCCESS) return nullptr;
  return HostFunctionOf(params);
}

// --- runs

void GraphHostFunction::Await(AwaitedRun run) {
  std::lock_guard lock(lock_);
  // Drops calls that will never happen because their context is destroyed.
  std::erase_if(awaited_, [&](const AwaitedRun& old) {
    return tracker_->ordering().host().Completed(old.launch);
  });
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
  if (!of_exec_node_ || kept_) return;
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

// Launches of one executable graph run one after the other, and so do those in one stream. For
// other launches the caller is unknown: any pending launch may make the call.
void GraphHostFunction::Start() {
  std::lock_guard lock(lock_);
  std::erase_if(awaited_, [&](const AwaitedRun& run) {
    return tracker_->ordering().host().Completed(run.launch);
  });
  if (awaited_.empty()) return;
  auto first = awaited_.begin();
  const bool one_graph = std::all_of(awaited_.begin(), awaited_.end(), [&](const AwaitedRun& run) {
    return run.graph == first->graph;
  });
  const bool one_stream = std::all_of(awaited_.begin(), awaited_.end(), [&](const AwaitedRun& run) {
    return run.launch.timeline() == first->launch.timeline();
  });
  if (runs_unseen_ || (!one_graph && !one_stream)) {
    for (const AwaitedRun& run : awaited_) tracker_->ordering().WaitSnapshot(run.before);
  } else {
    if (!one_graph) {
      first = std::min_element(awaited_.begin(), awaited_.end(),
                               [](const AwaitedRun& a, const AwaitedRun& b) {
                                 return a.launch.tick() < b.launch.tick();
                               });
    }
    tracker_->ordering().WaitSnapshot(first->before);
  }
  if (!runs_unseen_ && --first->runs == 0) awaited_.erase(first);
}

void GraphHostFunction::Run() {
  {
    ReentryGuard guard;
    Start();
  }
  {
    RunningHostFunction running(kUnknownSite);
    ReentryPause pause;
    function_(data_);
  }
  if (!of_exec_node_) return;
  ReentryGuard guard;
  {
    std::lock_guard lock(lock_);
    if (due_ == 0) {
      Keep();  // a launch that gpusan did not see
    } else {
      --due_;
    }
    if (!IsOver()) return;
  }
  g_store.Get().GiveBack(this);
}

}  // namespace gpusan::cuda
