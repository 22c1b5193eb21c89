// See the header.
#include "hooks/cuda/graph_host_functions.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "hooks/cuda/process_state.h"
#include "hooks/host/guard.h"

namespace gpusan::cuda {
namespace {

struct State {
  SpinLock lock;
  std::map<std::tuple<CUhostFn, void*, uint32_t>, GraphHostFunction*> all;
};

constinit ProcessState<State> g_state;

void CUDA_CB RunGraphFunction(void* data) { static_cast<GraphHostFunction*>(data)->Run(); }

// `place` tells nodes of one graph apart that are given the same.
void Replace(CuCall& call, uint32_t place, CUDA_HOST_NODE_PARAMS* params) {
  if (params->fn == nullptr || !call.may_change_arguments()) return;
  if (GraphHostFunction* own = HostFunctionOf(*params); own != nullptr) {
    // The driver's answer to somebody who does not come by this door.
    params->fn = own->function();
    params->userData = own->data();
  }
  GraphHostFunction* made;
  {
    State& state = g_state.Get();
    std::lock_guard lock(state.lock);
    GraphHostFunction*& known = state.all[{params->fn, params->userData, place}];
    if (known == nullptr)
      known = new GraphHostFunction(call.tracker(), params->fn, params->userData, place);
    made = known;
  }
  params->fn = &RunGraphFunction;
  params->userData = made;
}

}  // namespace

void ForgetHostFunctions() { g_state.Forget(); }

void ReplaceHostFunction(CuCall& call, CUgraph graph, CUDA_HOST_NODE_PARAMS* params) {
  const auto ask = GPUSAN_CU_REAL(cuGraphGetNodes);
  size_t count = 0;
  if (ask != nullptr && graph != nullptr) ask(graph, nullptr, &count);
  Replace(call, static_cast<uint32_t>(count), params);
}

void ReplaceHostFunction(CuCall& call, CUgraphNode node, CUDA_HOST_NODE_PARAMS* params) {
  const GraphHostFunction* before = HostFunctionOf(node);
  Replace(call, before != nullptr ? before->place() : 0, params);
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
  const auto ask = GPUSAN_CU_REAL(cuGraphHostNodeGetParams);
  CUDA_HOST_NODE_PARAMS params{};
  if (ask == nullptr || ask(node, &params) != CUDA_SUCCESS) return nullptr;
  return HostFunctionOf(params);
}

void GraphHostFunction::Await(AwaitedRun run) {
  std::lock_guard lock(lock_);
  // What will never be called any more, since its context is gone.
  std::erase_if(awaited_,
                [&](const AwaitedRun& old) { return tracker_.host().Completed(old.launch); });
  awaited_.push_back(std::move(run));
}

void GraphHostFunction::Cancel(Epoch launch) {
  std::lock_guard lock(lock_);
  std::erase_if(awaited_, [&](const AwaitedRun& run) { return run.launch == launch; });
}

void GraphHostFunction::MayRunUnseen() {
  std::lock_guard lock(lock_);
  runs_unseen_ = true;
}

// Launches of one executable graph run one behind the other, and so do those in one stream. Of
// others nobody can tell which one calls: it may be any that is pending.
void GraphHostFunction::Start() {
  std::lock_guard lock(lock_);
  std::erase_if(awaited_,
                [&](const AwaitedRun& run) { return tracker_.host().Completed(run.launch); });
  if (awaited_.empty()) return;
  auto first = awaited_.begin();
  const bool one_graph = std::all_of(awaited_.begin(), awaited_.end(), [&](const AwaitedRun& run) {
    return run.graph == first->graph;
  });
  const bool one_stream = std::all_of(awaited_.begin(), awaited_.end(), [&](const AwaitedRun& run) {
    return run.launch.timeline() == first->launch.timeline();
  });
  if (runs_unseen_ || (!one_graph && !one_stream)) {
    for (const AwaitedRun& run : awaited_) tracker_.WaitSnapshot(run.before);
  } else {
    if (!one_graph) {
      first = std::min_element(awaited_.begin(), awaited_.end(),
                               [](const AwaitedRun& a, const AwaitedRun& b) {
                                 return a.launch.tick() < b.launch.tick();
                               });
    }
    tracker_.WaitSnapshot(first->before);
  }
  if (!runs_unseen_ && --first->runs == 0) awaited_.erase(first);
}

void GraphHostFunction::Run() {
  {
    ReentryGuard guard;
    Start();
  }
  ReentryPause pause;
  function_(data_);
}

}  // namespace gpusan::cuda
