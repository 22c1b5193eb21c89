// CUDA contexts and streams: the state of the hooks beside the tracker's objects.
#include "hooks/cuda/streams/contexts.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "hooks/common/base/process_state.h"
#include "hooks/cuda/call/thread_id.h"
#include "hooks/cuda/streams/capture.h"
#include "hooks/cuda/streams/context_scope.h"
#include "hooks/cuda/streams/external_waits.h"
#include "hooks/cuda/streams/peers.h"
#include "hooks/cuda/streams/pinned_guards.h"

namespace gpusan::cuda {
namespace {

// The contexts and streams of the process.
struct State {
  SpinLock lock;
  std::map<uintptr_t, Context*> contexts;
  std::vector<std::unique_ptr<Context>> all_contexts;
  std::vector<std::unique_ptr<Stream>> all_streams;
  std::vector<Stream*> free_streams;
};

constinit ProcessState<State> g_state;
constinit std::atomic<Context*> g_only{nullptr};
const ForkReset g_reset([] {
  g_state.Forget();
  g_only.store(nullptr, std::memory_order_relaxed);
});

State& TheState() { return g_state.Get(); }

// Requires the lock.
void NoteOnly(const State& state) {
  g_only.store(state.contexts.size() == 1 ? state.contexts.begin()->second : nullptr,
               std::memory_order_release);
}

// Queries the driver for the device if the context is current.
void NoteDeviceOfCurrent(Context* context) {
  const auto get = GPUSAN_CU_REAL(cuCtxGetCurrent);
  const auto get_device = GPUSAN_CU_REAL(cuCtxGetDevice);
  CUcontext current = nullptr;
  CUdevice device;
  if (get != nullptr && get_device != nullptr && get(&current) == CUDA_SUCCESS &&
      HandleOf(current) == context->handle && get_device(&device) == CUDA_SUCCESS)
    NoteDevice(context, device);
}

Stream* MakeStream(CuCall& call, Queue* queue, Context* context, bool blocking, CUstream handle) {
  State& state = TheState();
  Stream* stream;
  {
    std::lock_guard lock(state.lock);
    if (!state.free_streams.empty()) {
      stream = state.free_streams.back();
      state.free_streams.pop_back();
    } else {
      stream = state.all_streams.emplace_back(std::make_unique<Stream>()).get();
    }
  }
  stream->queue = queue;
  stream->context = context;
  stream->blocking = blocking;
  stream->handle = handle;
  stream->capture.store(nullptr, std::memory_order_relaxed);
  // its context may be a different one now
  stream->may_defer.store(false, std::memory_order_relaxed);
  stream->unseen.store(nullptr, std::memory_order_relaxed);
  stream->recent.Clear();
  queue->native = stream;
  queue->ListIn(&context->busy);
  context->entry.With(
      [&](const Snapshot& point) { call.tracker().ordering().OrderBehind(*queue, point); });
  return stream;
}

}  // namespace

constinit Observer<> context_ended;

Context* CuCall::current() {
  if (asked_current_) return current_;
  asked_current_ = true;
  const auto get = GPUSAN_CU_REAL(cuCtxGetCurrent);
  CUcontext context = nullptr;
  if (get == nullptr || get(&context) != CUDA_SUCCESS) return nullptr;
  return current_ = ContextOf(*this, HandleOf(context));
}

Context* NewContext(CuCall& call, uintptr_t handle, bool primary) {
  call.tracker().objects().shared_payloads().ExpectImports();
  Tracker& tracker = call.tracker();
  PlainObject* object = tracker.objects().NewPlain(call, ObjectKind::kContext, handle, nullptr);
  // The legacy stream has no handle of its own; no other object has the value next to the context's
  // handle.
  Queue* legacy = tracker.objects().NewQueue(call, handle | 1, object, true, 0);
  legacy->MarkAdopted();
  auto made = std::make_unique<Context>(tracker, handle, object, legacy);
  Context* context = made.get();
  context->primary = primary;
  context->legacy.queue = legacy;
  context->legacy.context = context;
  context->legacy.handle = CU_STREAM_LEGACY;
  legacy->native = &context->legacy;
  legacy->ListIn(&context->busy);
  State& state = TheState();
  std::lock_guard lock(state.lock);
  state.all_contexts.push_back(std::move(made));
  state.contexts[handle] = context;
  NoteOnly(state);
  return context;
}

Context* KnownContext(uintptr_t handle) {
  if (handle == 0) return nullptr;
  // Cache: a thread mostly stays in one context.
  struct Last {
    const State* state = nullptr;
    Context* context = nullptr;
  };
  static thread_local Last last;
  State& state = TheState();
  if (last.state == &state && last.context->handle == handle &&
      !last.context->ended.load(std::memory_order_acquire))
    return last.context;
  Context* context = nullptr;
  {
    std::lock_guard lock(state.lock);
    auto it = state.contexts.find(handle);
    if (it != state.contexts.end()) context = it->second;
  }
  if (context != nullptr) last = {&state, context};
  return context;
}

Context* KnownCurrent() {
  const auto get = GPUSAN_CU_REAL(cuCtxGetCurrent);
  CUcontext context = nullptr;
  if (get == nullptr || get(&context) != CUDA_SUCCESS) [[unlikely]]
    return nullptr;
  return KnownContext(HandleOf(context));
}

Context* ContextOf(CuCall& call, uintptr_t handle) {
  Context* context = KnownContext(handle);
  if (context == nullptr && handle != 0) {
    context = NewContext(call, handle, false);
    context->object->MarkAdopted();
    NoteDeviceOfCurrent(context);
  }
  return context;
}

bool ReachesAllHostMemory(CuCall& call) {
  Context* context = call.current();
  if (context == nullptr) return true;
  std::atomic<int8_t>& known = context->object->shares_all_host_memory;
  int8_t answer = known.load(std::memory_order_relaxed);
  if (answer >= 0) return answer != 0;
  const auto get_device = GPUSAN_CU_REAL(cuCtxGetDevice);
  const auto get_attribute = GPUSAN_CU_REAL(cuDeviceGetAttribute);
  const ContextScope scope(context);
  CUdevice device = 0;
  int value = 0;
  if (!scope.current() || get_device == nullptr || get_attribute == nullptr ||
      get_device(&device) != CUDA_SUCCESS ||
      get_attribute(&value, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, device) != CUDA_SUCCESS) {
    return true;
  }
  answer = value != 0;
  known.store(answer, std::memory_order_relaxed);
  return answer != 0;
}

const Context* ContextOfObject(const Object* object) {
  if (object == nullptr) return nullptr;
  for (const Context* context : LiveContexts()) {
    if (context->object == object) return context;
  }
  return nullptr;
}

Context* OnlyContext() { return g_only.load(std::memory_order_acquire); }

std::vector<Context*> LiveContexts() {
  State& state = TheState();
  std::lock_guard lock(state.lock);
  std::vector<Context*> contexts;
  for (const auto& [handle, context] : state.contexts) contexts.push_back(context);
  return contexts;
}

void EndContext(CuCall& call, Context* context) {
  Tracker& tracker = call.tracker();
  WaitContext(call, context);
  if (GuardsPinned()) [[unlikely]]
    RemoveAllPinnedGuards();  // the driver frees the context's memory
  if (tracker.shadow().options().leaks)
    tracker.ReportLeaks(call.words(), Api::kCuda, context->object);
  {
    State& state = TheState();
    std::lock_guard lock(state.lock);
    auto it = state.contexts.find(context->handle);
    if (it != state.contexts.end() && it->second == context) state.contexts.erase(it);
    NoteOnly(state);
  }
  context->ended.store(true, std::memory_order_release);
  std::vector<Stream*> streams;
  {
    std::lock_guard lock(context->lock);
    streams = context->streams;
    for (const auto& [thread, stream] : context->per_thread) streams.push_back(stream);
    context->per_thread.clear();
  }
  for (Stream* stream : streams) DropStream(call, stream);
  tracker.objects().ReleaseAllOf(call, context->object);
  context_ended();
  context->object->MarkAdopted(false);
  context->object->references.store(1, std::memory_order_relaxed);
  tracker.objects().Release(call, context->object, true);
}

void DestroyContext(CuCall& call, uintptr_t handle) {
  Object* object =
      call.tracker().objects().UseForRelease(call, handle, MaskOf(ObjectKind::kContext), "ctx");
  if (object != nullptr) EndContext(call, ContextOf(call, handle));
}

Stream* NewStream(CuCall& call, uintptr_t handle, Context* context, bool blocking) {
  several_streams.store(true, std::memory_order_relaxed);
  Queue* queue = call.tracker().objects().NewQueue(call, handle, context->object, true, 0);
  Stream* stream = MakeStream(call, queue, context, blocking, reinterpret_cast<CUstream>(handle));
  if (blocking) context->group.Add(queue);
  std::lock_guard lock(context->lock);
  context->streams.push_back(stream);
  return stream;
}

namespace {

// Adds the newest pending commands of the stream to those of streams destroyed before.
void KeepRecent(CuCall& call, const Stream& stream, std::vector<RecentCommand>* kept) {
  const HostClock& host = call.tracker().ordering().host();
  std::erase_if(*kept, [&](const RecentCommand& old) { return host.Completed(old.epoch); });
  stream.recent.ForEach([&](const RecentCommand& command) {
    if (!host.Completed(command.epoch)) kept->push_back(command);
  });
  if (kept->size() <= 2 * RecentCommands::kKept) return;
  std::sort(kept->begin(), kept->end(),
            [](const RecentCommand& a, const RecentCommand& b) { return a.order > b.order; });
  kept->resize(RecentCommands::kKept);
}

}  // namespace

Queue* BranchOf(CuCall& call, Stream* stream, size_t number) {
  {
    std::lock_guard lock(stream->context->lock);
    if (number < stream->branches.size()) return stream->branches[number];
  }
  // The branch has no handle; the address of a field of gpusan's is unique.
  Queue* branch = call.tracker().objects().NewQueue(call, HandleOf(&stream->branch_names[number]),
                                                    stream->context->object, true, 0);
  branch->MarkAdopted();
  branch->unlogged = true;
  std::lock_guard lock(stream->context->lock);
  stream->branches.push_back(branch);
  return branch;
}

void DropStream(CuCall& call, Stream* stream) {
  Context* context = stream->context;
  LeaveCapture(stream);
  // Enqueued work continues; waits for the context include it.
  Snapshot pending;
  std::vector<Queue*> branches;
  if (!stream->queue->idle()) call.tracker().ordering().Snap(*stream->queue, &pending);
  if (stream->blocking) {
    context->group.Remove(stream->queue);
    if (!pending.clock.empty())
      call.tracker().ordering().OrderBehind(*context->legacy.queue, pending);
  }
  {
    std::lock_guard lock(context->lock);
    if (!pending.clock.empty()) {
      context->left.clock.Prune(call.tracker().ordering().host());
      call.tracker().ordering().JoinPoint(&context->left, pending);
      context->any_left.store(true, std::memory_order_release);
      KeepRecent(call, *stream, &context->left_recent);
    }
    auto& streams = context->streams;
    streams.erase(std::remove(streams.begin(), streams.end(), stream), streams.end());
    branches.swap(stream->branches);
  }
  for (Queue* branch : branches) {
    branch->MarkAdopted(false);
    call.tracker().objects().Release(call, branch, true);
  }
  stream->queue->ListIn(nullptr);
  call.tracker().objects().Release(call, stream->queue);
  State& state = TheState();
  std::lock_guard lock(state.lock);
  state.free_streams.push_back(stream);
}

namespace {

// The address of a thread-local variable distinguishes the per-thread default streams of live
// threads. It is a variable that exists anyway: static thread storage is scarce.
unsigned long OwnNumber() { return reinterpret_cast<unsigned long>(&thread_id_internal::known); }

Stream* KnownOwnStream(Context* context) {
  std::lock_guard lock(context->lock);
  auto it = context->per_thread.find(OwnNumber());
  return it != context->per_thread.end() ? it->second : nullptr;
}

Stream* OwnStream(CuCall& call, Context* context) {
  if (Stream* known = KnownOwnStream(context); known != nullptr) return known;
  several_streams.store(true, std::memory_order_relaxed);
  const unsigned long thread = OwnNumber();
  Queue* queue = call.tracker().objects().NewQueue(call, thread, context->object, true, 0);
  queue->MarkAdopted();
  Stream* stream = MakeStream(call, queue, context, true, CU_STREAM_PER_THREAD);
  context->group.Add(queue);
  std::lock_guard lock(context->lock);
  context->per_thread[thread] = stream;
  return stream;
}

// Looks up a handle that the program received.
Stream* KnownStream(Tracker& tracker, uintptr_t handle) {
  // Cache: a thread mostly stays in one stream. Queues stay readable forever.
  struct Last {
    const Tracker* tracker = nullptr;
    const Queue* queue = nullptr;
  };
  static constinit thread_local Last last;
  if (last.tracker == &tracker && last.queue->handle == handle && last.queue->live() &&
      last.queue->api == Api::kCuda) [[likely]]
    return static_cast<Stream*>(last.queue->native);
  Object* object = tracker.objects().Find(Api::kCuda, handle);
  if (object == nullptr || object->kind != ObjectKind::kQueue || !object->live()) return nullptr;
  const Queue* queue = static_cast<Queue*>(object);
  last = {&tracker, queue};
  return static_cast<Stream*>(queue->native);
}

}  // namespace

Stream* KnownStream(const FastCall& call, CUstream handle) {
  const uintptr_t value = HandleOf(handle);
  if (value > 2) return KnownStream(call.tracker(), value);
  Context* context = KnownCurrent();
  if (context == nullptr) [[unlikely]]
    return nullptr;
  if (value == 2 || (value == 0 && call.per_thread())) return KnownOwnStream(context);
  return &context->legacy;
}

Stream* StreamOf(CuCall& call, CUstream handle) {
  const uintptr_t value = HandleOf(handle);
  if (value > 2) {
    if (Stream* known = KnownStream(call.tracker(), value); known != nullptr) return known;
    if (call.tracker().objects().Find(Api::kCuda, value) != nullptr) {
      call.tracker().objects().Use(call, value, MaskOf(ObjectKind::kQueue), "hStream");
      return nullptr;
    }
    // Created where gpusan did not see it: adopted as a blocking stream, which only adds order.
    Context* context = call.current();
    if (context == nullptr) return nullptr;
    Stream* stream = NewStream(call, value, context, true);
    stream->queue->MarkAdopted();
    return stream;
  }
  Context* context = call.current();
  if (context == nullptr) return nullptr;
  if (value == 2 || (value == 0 && call.per_thread())) return OwnStream(call, context);
  return &context->legacy;
}

std::vector<Stream*> StreamsOf(Context* context) {
  std::lock_guard lock(context->lock);
  std::vector<Stream*> streams = context->streams;
  for (const auto& [thread, stream] : context->per_thread) streams.push_back(stream);
  streams.push_back(&context->legacy);
  return streams;
}

void WaitStream(CuCall& call, Stream* stream) {
  SettleUnseenWaits(call, stream);
  if (stream->queue->group != nullptr) {
    stream->context->group.Wait(*stream->queue);
  } else {
    call.tracker().ordering().WaitQueue(*stream->queue);
  }
}

void WaitContext(CuCall& call, Context* context) {
  WaitBusy(call, context);
  // Streams that another thread has taken from the list and not waited for yet.
  for (Stream* stream : StreamsOf(context)) {
    if (stream->queue->idle()) continue;
    SettleUnseenWaits(call, stream);
    call.tracker().ordering().WaitQueue(*stream->queue);
  }
}

void WaitBusy(CuCall& call, Context* context) {
  if (context->any_left.load(std::memory_order_acquire)) [[unlikely]] {
    std::lock_guard lock(context->lock);
    call.tracker().ordering().WaitSnapshot(context->left);
    context->left = Snapshot();
    context->any_left.store(false, std::memory_order_release);
  }
  // Most streams are idle most of the time.
  for (Queue* queue : context->busy.Take()) {
    queue->Taken();
    if (queue->native != nullptr) SettleUnseenWaits(call, static_cast<Stream*>(queue->native));
    call.tracker().ordering().WaitQueue(*queue);
    queue->ListUnlessIdle();
  }
  // Two concurrent waits may count as one.
  std::atomic<uint32_t>& waits = context->object->full_waits;
  waits.store(waits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace gpusan::cuda
