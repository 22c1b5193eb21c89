// Updates of executable graphs that failed, for launches that the program makes all the same.
#include "hooks/cuda/graphs/failed_updates.h"

#include <mutex>
#include <utility>

#include "hooks/common/base/process_state.h"
#include "hooks/cuda/graphs/graph_nodes.h"
#include "hooks/cuda/streams/contexts.h"
#include "tracker/base/slab.h"
#include "tracker/rules/events/failed_update.h"

namespace gpusan::cuda {
namespace {

struct Kept {
  CUgraphExec exec = nullptr;
  unsigned thread = 0;    // ThreadShard
  uint64_t commands = 0;  // CommandsSoFar
  rules::FailedUpdate update;
};

struct State {
  SpinLock lock;
  Kept kept;
};

constinit ProcessState<State> g_state;
const ForkReset g_reset([] {
  g_state.Forget();
  failed_updates_internal::any.store(false, std::memory_order_relaxed);
});

// Returns a number that grows with each command of the current context.
uint64_t CommandsSoFar(CuCall& call) {
  Context* context = call.current();
  uint64_t commands = 0;
  if (context == nullptr) return 0;
  for (const Stream* stream : StreamsOf(context))
    commands += stream->queue->work.load(std::memory_order_acquire);
  return commands;
}

struct Reason {
  CUgraphExecUpdateResult result;
  const char* name;
  const char* text;
};

constexpr Reason kReasons[] = {
    {CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, "CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED",
     "the new graph has other nodes or dependencies"},
    {CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, "CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED",
     "a node of the new graph has another type"},
    {CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED, "CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED",
     "a kernel node of the new graph has another function"},
    {CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED, "CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED",
     "a node of the new graph has parameters that an update cannot change"},
    {CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED, "CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED",
     "updates do not support a node of the new graph"},
    {CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE,
     "CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE",
     "a kernel node of the new graph has a function that an update cannot set"},
    {CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED, "CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED",
     "a node of the new graph has attributes that an update cannot change"},
};

}  // namespace

constinit std::atomic<bool> failed_updates_internal::any{false};

void KeepFailedUpdate(CuCall& call, CUgraphExec exec, CUgraphExecUpdateResult result,
                      CUgraphNode node) {
  Kept kept{exec, ThreadShard(), CommandsSoFar(call), {}};
  kept.update.call = &call.info();
  kept.update.site = call.site();
  kept.update.code = CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  kept.update.result = "CU_GRAPH_EXEC_UPDATE_ERROR";
  kept.update.reason = "the graphs differ in more than the parameters of their nodes";
  for (const Reason& reason : kReasons) {
    if (reason.result != result) continue;
    kept.update.result = reason.name;
    kept.update.reason = reason.text;
  }
  if (node != nullptr) {
    const NodeOrigin origin = OriginOf(node);
    kept.update.node = origin.call;
    kept.update.node_site = origin.site;
  }
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  state.kept = kept;
  failed_updates_internal::any.store(true, std::memory_order_relaxed);
}

void failed_updates_internal::Check(CuCall& call, CUgraphExec exec) {
  State& state = g_state.Get();
  Kept kept;
  {
    std::lock_guard lock(state.lock);
    if (state.kept.exec != exec) return;
    kept = std::exchange(state.kept, {});
    any.store(false, std::memory_order_relaxed);
  }
  const Object* object = call.tracker().objects().Find(Api::kCuda, HandleOf(exec));
  if (kept.thread != ThreadShard() || object == nullptr || kept.commands != CommandsSoFar(call))
    return;
  kept.update.exec = object;
  rules::OnFailedUpdate(kept.update, call);
}

void failed_updates_internal::Forget() {
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  state.kept = {};
  any.store(false, std::memory_order_relaxed);
}

}  // namespace gpusan::cuda
