// The host functions and callbacks of streams that run now, by thread.
#include "hooks/cuda/graphs/running_host_functions.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "hooks/common/base/process_state.h"
#include "hooks/cuda/call/thread_id.h"
#include "tracker/base/spin_lock.h"

namespace gpusan::cuda {
namespace {

struct Running {
  int32_t thread;
  SiteId enqueued;
};

struct State {
  SpinLock lock;
  std::vector<Running> running;
};

constinit ProcessState<State> g_state;
const ForkReset g_reset([] { g_state.Forget(); });

// Requires: the lock of `state` is held.
std::vector<Running>::iterator OfThread(State& state) {
  const int32_t thread = ThreadId();
  return std::find_if(state.running.begin(), state.running.end(),
                      [&](const Running& one) { return one.thread == thread; });
}

}  // namespace

RunningHostFunction::RunningHostFunction(SiteId enqueued) {
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  state.running.push_back({ThreadId(), enqueued});
}

RunningHostFunction::~RunningHostFunction() {
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  if (const auto own = OfThread(state); own != state.running.end()) state.running.erase(own);
}

bool RunsHostFunction(SiteId* enqueued) {
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  const auto own = OfThread(state);
  if (own == state.running.end()) return false;
  *enqueued = own->enqueued;
  return true;
}

}  // namespace gpusan::cuda
