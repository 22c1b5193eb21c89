// Handlers: user objects, which graphs keep alive and whose destructors the driver calls.
#include "hooks/cuda/streams/user_objects.h"

#include <algorithm>
#include <climits>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "hooks/common/base/process_state.h"
#include "hooks/common/guard.h"
#include "hooks/cuda/streams/contexts.h"
#include "tracker/rules/rules.h"

namespace gpusan::cuda {

struct DestructorClosure {
  Tracker* tracker;
  CUhostFn destroy;
  void* object;
  WeakRef<PlainObject> shadow;
};

namespace {

// Bit of PlainObject::mark: pending launches may hold references, so the last release is unknown.
constexpr uint32_t kHeldUnseen = 1u << 31;

struct State {
  SpinLock lock;    // also guards the counts of all user objects
  Snapshot let_go;  // launches of destroyed executable graphs
  std::unordered_map<uintptr_t, std::vector<HeldReferences>> held;  // by handle of the holder
};

constinit ProcessState<State> g_state;
const ForkReset g_reset([] { g_state.Forget(); });
constinit std::atomic<bool> g_any{false};

bool AnyUserObject() { return g_any.load(std::memory_order_relaxed); }
bool IsCount(unsigned count) { return count != 0 && count <= INT_MAX; }

void AddHeld(PlainObject& object, uint64_t count) {
  const uint32_t mark = object.mark.load(std::memory_order_relaxed);
  const uint64_t sum = (mark & ~kHeldUnseen) + count;
  object.mark.store(
      sum < kHeldUnseen ? (mark & kHeldUnseen) | static_cast<uint32_t>(sum) : kHeldUnseen,
      std::memory_order_relaxed);
}

void SubtractHeld(PlainObject& object, uint64_t count) {
  const uint32_t mark = object.mark.load(std::memory_order_relaxed);
  const uint64_t held = mark & ~kHeldUnseen;
  object.mark.store((mark & kHeldUnseen) | static_cast<uint32_t>(held - std::min(held, count)),
                    std::memory_order_relaxed);
}

void SetHeldUnseen(PlainObject& object) { object.mark.fetch_or(kHeldUnseen); }

void SetReferences(PlainObject& object, int64_t references) {
  object.references.store(static_cast<int32_t>(std::clamp<int64_t>(references, 0, INT_MAX)),
                          std::memory_order_relaxed);
  // An object that only graphs reference is not leaked.
  object.MarkOwned(references <= 0);
}

bool IsUnreferenced(const PlainObject& object) {
  return object.live() && object.references.load(std::memory_order_relaxed) == 0 &&
         object.mark.load(std::memory_order_relaxed) == 0;
}

// The caller has taken the last reference.
void ReleaseShadow(Call& call, PlainObject* object) {
  object->references.store(1, std::memory_order_relaxed);
  call.tracker().objects().Release(call, object);
}

HeldReferences* FindHeld(std::vector<HeldReferences>& held, const PlainObject& object) {
  const auto found = std::find_if(held.begin(), held.end(), [&](const HeldReferences& each) {
    return !each.inner && each.object.get() == &object;
  });
  return found != held.end() ? &*found : nullptr;
}

void ReportExcess(CuCall& call, const PlainObject& object, uint64_t count, uint64_t held,
                  const Object* holder) {
  rules::OnReferenceExcess({&object, count, held, holder}, call);
}

// The driver has destroyed the object, whoever held its last reference.
void DestroyedByDriver(Tracker& tracker, const WeakRef<PlainObject>& shadow) {
  static constexpr CallInfo kDriver = {"", Api::kCuda};
  PlainObject* object = shadow.get();
  if (object == nullptr || !object->live()) return;
  SiteId let_go_at;
  {
    std::lock_guard lock(g_state.Get().lock);
    let_go_at = object->released;
    SetHeldUnseen(*object);
    object->MarkOwned();
    if (object->references.load(std::memory_order_relaxed) != 0) return;
  }
  Call call(tracker, kDriver, Words(), nullptr, nullptr, let_go_at);
  ReleaseShadow(call, object);
}

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
    DestroyedByDriver(*closure->tracker, closure->shadow);
    delete closure;
  }
  ReentryPause pause;
  destroy(object);
}

}  // namespace

void LetGoOfUserObjects(CuCall& call, const EventRecord& last) {
  if (!AnyUserObject()) return;
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
  auto* closure = new DestructorClosure{&call.tracker(), *destroy, *object, {}};
  *destroy = &RunDestructor;
  *object = closure;
  return closure;
}

void DropDestructor(DestructorClosure* closure) { delete closure; }

void CreatedUserObject(CuCall& call, CUuserObject handle, unsigned references,
                       DestructorClosure* closure) {
  PlainObject* object =
      call.tracker().objects().NewPlain(call, ObjectKind::kUserObject, HandleOf(handle), nullptr);
  {
    std::lock_guard lock(g_state.Get().lock);
    SetReferences(*object, references);
    if (closure != nullptr) closure->shadow = WeakRef<PlainObject>(object);
  }
  NoteCreation(call, object, [](const Object& last) {
    // The program keeps references to an object that it has passed to a graph.
    return static_cast<const PlainObject&>(last).native != nullptr &&
           last.references.load(std::memory_order_relaxed) != 0;
  });
}

PlainObject* UseUserObject(CuCall& call, CUuserObject object) {
  return static_cast<PlainObject*>(call.tracker().objects().Use(
      call, HandleOf(object), MaskOf(ObjectKind::kUserObject), "object"));
}

void RetainUserObject(CuCall& call, PlainObject* object, unsigned count) {
  object->retained.store(call.site(), std::memory_order_relaxed);
  std::lock_guard lock(g_state.Get().lock);
  SetReferences(*object, int64_t{object->references.load(std::memory_order_relaxed)} + count);
}

PlainObject* ReleaseUserObject(CuCall& call, CUuserObject handle, unsigned count, int32_t* before) {
  auto* object = static_cast<PlainObject*>(call.tracker().objects().UseForRelease(
      call, HandleOf(handle), MaskOf(ObjectKind::kUserObject), "object"));
  if (object == nullptr || !IsCount(count)) return nullptr;
  bool last = false;
  {
    std::lock_guard lock(g_state.Get().lock);
    *before = object->references.load(std::memory_order_relaxed);
    const uint32_t held = object->mark.load(std::memory_order_relaxed);
    SetReferences(*object, int64_t{*before} - count);
    const uint64_t excess = count > static_cast<uint64_t>(*before) ? count - *before : 0;
    // An excess takes references of graphs.
    if (excess != 0 && held != 0) SetHeldUnseen(*object);
    last = held == 0 && object->live() && object->references.load() == 0;
  }
  if (count > static_cast<uint64_t>(*before)) ReportExcess(call, *object, count, *before, nullptr);
  if (last) {
    ReleaseShadow(call, object);
  } else {
    object->released = call.site();
  }
  return object;
}

void UndoReleaseUserObject(CuCall& call, PlainObject* object, int32_t before) {
  if (!object->live()) call.tracker().objects().UndoRelease(object);
  std::lock_guard lock(g_state.Get().lock);
  if (object->live()) SetReferences(*object, before);
}

void CheckMovedReferences(CuCall& call, const PlainObject& object, unsigned count) {
  if (!IsCount(count)) return;
  const auto held = static_cast<uint64_t>(object.references.load(std::memory_order_relaxed));
  if (count > held) ReportExcess(call, object, count, held, nullptr);
}

void GiveToGraph(CuCall& call, PlainObject* object, CUgraph graph, unsigned count, bool move) {
  if (move) object->released = call.site();
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  object->native = object;  // marks an object that the program has passed to a graph
  AddHeld(*object, count);
  std::vector<HeldReferences>& held = state.held[HandleOf(graph)];
  HeldReferences* known = FindHeld(held, *object);
  if (known != nullptr) {
    known->count += count;
  } else {
    held.push_back({WeakRef<PlainObject>(object), count});
  }
  if (move)
    SetReferences(*object, int64_t{object->references.load(std::memory_order_relaxed)} - count);
}

void CheckReferencesOfGraph(CuCall& call, const PlainObject& object, CUgraph handle,
                            unsigned count) {
  const Object* graph = call.tracker().objects().Find(Api::kCuda, HandleOf(handle));
  // Graphs that the driver owns may have got references with a child graph.
  if (!IsCount(count) || graph == nullptr || graph->kind != ObjectKind::kGraph || graph->owned ||
      graph->adopted)
    return;
  uint64_t held = 0;
  {
    State& state = g_state.Get();
    std::lock_guard lock(state.lock);
    const auto found = state.held.find(graph->handle);
    const HeldReferences* known =
        found != state.held.end() ? FindHeld(found->second, object) : nullptr;
    if (known != nullptr) held = known->count;
  }
  if (count > held) ReportExcess(call, object, count, held, graph);
}

void TakeFromGraph(CuCall& call, PlainObject* object, CUgraph graph, unsigned count) {
  bool last = false;
  {
    State& state = g_state.Get();
    std::lock_guard lock(state.lock);
    const auto found = state.held.find(HandleOf(graph));
    HeldReferences* known = found != state.held.end() ? FindHeld(found->second, *object) : nullptr;
    if (known == nullptr || known->count < count) {
      if (object->kind == ObjectKind::kUserObject) SetHeldUnseen(*object);
      return;
    }
    known->count -= count;
    SubtractHeld(*object, count);
    last = IsUnreferenced(*object);
  }
  if (last) ReleaseShadow(call, object);
}

void CopyUserReferences(uintptr_t from, uintptr_t to, bool inner) {
  if (!AnyUserObject()) return;
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  const auto found = state.held.find(from);
  if (found == state.held.end()) return;
  std::vector<HeldReferences> copies = found->second;
  for (HeldReferences& copy : copies) {
    copy.inner = copy.inner || inner;
    if (PlainObject* object = copy.object.get(); object != nullptr) AddHeld(*object, copy.count);
  }
  std::vector<HeldReferences>& held = state.held[to];
  held.insert(held.end(), copies.begin(), copies.end());
}

void KeepUserReferences(uintptr_t holder) {
  if (!AnyUserObject()) return;
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  const auto found = state.held.find(holder);
  if (found == state.held.end()) return;
  for (const HeldReferences& each : found->second) {
    if (PlainObject* object = each.object.get(); object != nullptr) SetHeldUnseen(*object);
  }
}

std::vector<HeldReferences> TakeUserReferences(CuCall& call, uintptr_t holder) {
  if (!AnyUserObject()) return {};
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  auto node = state.held.extract(holder);
  if (node.empty()) return {};
  for (const HeldReferences& each : node.mapped()) {
    // A thread of the driver may run the destructor before the call returns.
    if (PlainObject* object = each.object.get(); object != nullptr && object->live())
      object->released = call.site();
  }
  return std::move(node.mapped());
}

void PutUserReferences(uintptr_t holder, std::vector<HeldReferences> references) {
  if (references.empty()) return;
  State& state = g_state.Get();
  std::lock_guard lock(state.lock);
  std::vector<HeldReferences>& held = state.held[holder];
  held.insert(held.end(), references.begin(), references.end());
}

void DropUserReferences(CuCall& call, const std::vector<HeldReferences>& held, bool pending) {
  for (const HeldReferences& each : held) {
    PlainObject* object = each.object.get();
    if (object == nullptr || !object->live()) continue;
    bool last = false;
    {
      std::lock_guard lock(g_state.Get().lock);
      if (pending) SetHeldUnseen(*object);
      SubtractHeld(*object, each.count);
      last = IsUnreferenced(*object);
    }
    if (last) ReleaseShadow(call, object);
  }
}

}  // namespace gpusan::cuda
