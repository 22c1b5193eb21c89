// Handlers: user objects, which graphs keep alive and whose destructors the driver calls.
#include "hooks/cuda/streams/user_objects.h"

#include <mutex>
#include <utility>

#include "hooks/common/base/process_state.h"
#include "hooks/common/guard.h"

namespace gpusan::cuda {

struct DestructorClosure {
  Tracker* tracker;
  CUhostFn destroy;
  void* object;
};

namespace {

struct State {
  SpinLock lock;
  Snapshot let_go;  // launches of destroyed executable graphs
};

constinit ProcessState<State> g_state;
const ForkReset g_reset([] { g_state.Forget(); });
constinit std::atomic<bool> g_any{false};

void CUDA_CB RunDestructor(void* data) {
  auto* closure = static_cast<DestructorClosure*>(data);
  const CUhostFn destroy = closure->destroy;
  void* object = closure->object;
  {
    ReentryGuard guard;
    Snapshot let_go;
    {
      State& state = g_state.Get();
      std::lock_guard lock(state.lock);
      let_go = std::exchange(state.let_go, Snapshot());
    }
    closure->tracker->ordering().WaitSnapshot(let_go);
    delete closure;
  }
  ReentryPause pause;
  destroy(object);
}

}  // namespace

void LetGoOfUserObjects(CuCall& call, const EventRecord& last) {
  if (!g_any.load(std::memory_order_relaxed)) return;
  last.With([&](const Snapshot& point) {
    if (!call.may_change_arguments()) return call.tracker().ordering().WaitSnapshot(point);
    State& state = g_state.Get();
    std::lock_guard lock(state.lock);
    state.let_go.clock.Prune(call.tracker().ordering().host());
    call.tracker().ordering().JoinPoint(&state.let_go, point);
  });
}

DestructorClosure* ReplaceDestructor(CuCall& call, CUhostFn* destroy, void** object) {
  g_any.store(true, std::memory_order_relaxed);
  if (*destroy == nullptr || !call.may_change_arguments()) return nullptr;
  auto* closure = new DestructorClosure{&call.tracker(), *destroy, *object};
  *destroy = &RunDestructor;
  *object = closure;
  return closure;
}

void DropDestructor(DestructorClosure* closure) { delete closure; }

}  // namespace gpusan::cuda
