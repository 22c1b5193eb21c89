// The doors: tables of real functions, and one wrapper an entry point and door.
#include "hooks/opencl/dispatch/interposition.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include "hooks/common/guard.h"
#include "hooks/common/next_symbol.h"
#include "hooks/common/self_time.h"
#include "hooks/opencl/call/call.h"
#include "hooks/opencl/dispatch/extensions.h"
#include "hooks/opencl/words/failure_clauses.h"
#include "tracker/base/call_counter.h"

namespace gpusan::opencl {
namespace {

Hooks g_hooks;
cl_icd_dispatch g_next[kDoorCount];
cl_icd_dispatch g_layer_table;
SpinLock g_doors_lock;

constinit CallCounter g_calls;

template <typename Function, auto Member, auto Handler>
struct Wrapper;

// What Hooks::tracker answered; nullptr before the first call of the door, and for good when its
// calls are not watched.
constinit std::atomic<Tracker*> g_trackers[kDoorCount] = {};

[[gnu::noinline, gnu::cold]] Tracker* OpenDoor(Door door) {
  if ((g_hooks.doors >> door & 1) == 0 || g_hooks.tracker == nullptr) return nullptr;
  ReentryGuard guard;
  Tracker* tracker = g_hooks.tracker(door);
  g_trackers[door].store(tracker, std::memory_order_release);
  return tracker;
}

// `info` is a member so that each wrapper has the address of its own static CallInfo at hand.
#define GPUSAN_CL_HANDLED(name) constexpr CallInfo kInfo_##name = {#name, Api::kOpenCL};
#define GPUSAN_CL_PASS(name, reason)
#include "hooks/opencl/entry_points.def"
#undef GPUSAN_CL_HANDLED
#undef GPUSAN_CL_PASS

// What a function answers when a program calls an exported wrapper and no library with the real one
// is loaded.
template <typename Result>
Result Unavailable() {
  if constexpr (std::is_same_v<Result, cl_int>) {
    return CL_INVALID_PLATFORM;
  } else if constexpr (!std::is_void_v<Result>) {
    return Result{};
  }
}

template <typename Result, typename... Arguments, auto Member, auto Handler>
struct Wrapper<Result(CL_API_CALL*)(Arguments...), Member, Handler> {
  using Function = Result(CL_API_CALL*)(Arguments...);

  template <Door door, const CallInfo* info>
  static Result CL_API_CALL Enter(Arguments... arguments) {
    Function next = g_next[door].*Member;
    if (next == nullptr) [[unlikely]] {
      // A static initialiser of a file that was initialised before this library.
      if (g_hooks.next_symbol == nullptr && gpusan_prepare_opencl_door != nullptr)
        gpusan_prepare_opencl_door();
      if (g_hooks.next_symbol != nullptr) {
        next = reinterpret_cast<Function>(
            g_hooks.next_symbol(info->name, __builtin_return_address(0)));
      }
      if (next == nullptr) return Unavailable<Result>();
      g_next[door].*Member = next;
    }
    if (ReentryGuard::Active()) return next(arguments...);
    Tracker* tracker = g_trackers[door].load(std::memory_order_acquire);
    if (tracker == nullptr) [[unlikely]] {
      tracker = OpenDoor(door);
      if (tracker == nullptr) return next(arguments...);
    }
    ReentryGuard guard;
    g_calls.Count();
    SelfTime time;
    if (time.on()) [[unlikely]]
      next = Timed<door>;
    ClCall call(*tracker, *info, __builtin_return_address(0), __builtin_frame_address(0), door);
    return Handler(call, next, arguments...);
  }

  // The real function in a call that is measured.
  template <Door door>
  [[gnu::cold]] static Result CL_API_CALL Timed(Arguments... arguments) {
    const RealCallTime time;
    return (g_next[door].*Member)(arguments...);
  }
};

#define GPUSAN_WRAPPER(name, door)                                                       \
  (&Wrapper<cl_api_##name, &cl_icd_dispatch::name, &Handle_##name>::template Enter<door, \
                                                                                   &kInfo_##name>)

template <Door door>
void* FindWrapper(const char* name, size_t* slot) {
#define GPUSAN_CL_HANDLED(entry)                                 \
  if (std::strcmp(name, #entry) == 0) {                          \
    *slot = offsetof(cl_icd_dispatch, entry);                    \
    return reinterpret_cast<void*>(GPUSAN_WRAPPER(entry, door)); \
  }
#define GPUSAN_CL_PASS(entry, reason)
#include "hooks/opencl/entry_points.def"
#undef GPUSAN_CL_HANDLED
#undef GPUSAN_CL_PASS
  return nullptr;
}

void*& Slot(Door door, size_t offset) {
  return *reinterpret_cast<void**>(reinterpret_cast<char*>(&g_next[door]) + offset);
}

}  // namespace

void SetHooks(const Hooks& hooks) {
  g_hooks = hooks;
  ForgetTrackers();
}
void ForgetTrackers() {
  for (std::atomic<Tracker*>& tracker : g_trackers)
    tracker.store(nullptr, std::memory_order_release);
}
const Hooks& CurrentHooks() { return g_hooks; }

Tracker* Admit(Door door) {
  Tracker* tracker = g_trackers[door].load(std::memory_order_acquire);
  if (tracker == nullptr) [[unlikely]] {
    tracker = OpenDoor(door);
    if (tracker == nullptr) return nullptr;
  }
  g_calls.Count();
  return tracker;
}

uint64_t CallsSeen() { return g_calls.total(); }

const cl_icd_dispatch* EnterAsLayer(cl_uint entries, const cl_icd_dispatch* target,
                                    cl_uint* entries_ret) {
  // A smaller table is that of an older loader: what it does not have stays nullptr and is never
  // called.
  const size_t known = sizeof(cl_icd_dispatch) / sizeof(void*);
  const size_t shared = std::min<size_t>(entries, known);
  std::memcpy(static_cast<void*>(&g_next[kLayerDoor]), target, shared * sizeof(void*));
  std::memcpy(static_cast<void*>(&g_layer_table), target, shared * sizeof(void*));
#define GPUSAN_CL_HANDLED(name) \
  if (g_next[kLayerDoor].name != nullptr) g_layer_table.name = GPUSAN_WRAPPER(name, kLayerDoor);
#define GPUSAN_CL_PASS(name, reason)
#include "hooks/opencl/entry_points.def"
#undef GPUSAN_CL_HANDLED
#undef GPUSAN_CL_PASS
  *entries_ret = static_cast<cl_uint>(shared);
  return &g_layer_table;
}

void* WrapperForSymbol(const char* name, void* real) {
  size_t slot = 0;
  if (FindWrapper<kSymbolDoor>(name, &slot) == nullptr) return nullptr;
  std::lock_guard lock(g_doors_lock);
  for (const Door door : {kSymbolDoor, kSymbolDoor2}) {
    void*& next = Slot(door, slot);
    if (next != nullptr && next != real) continue;
    next = real;
    return door == kSymbolDoor ? FindWrapper<kSymbolDoor>(name, &slot)
                               : FindWrapper<kSymbolDoor2>(name, &slot);
  }
  return nullptr;
}

void ForgetUnloadedFunctions() {
  // The loader gives its functions for the layer door anew when it is loaded again.
  for (const Door door : {kExportDoor, kSymbolDoor, kSymbolDoor2}) {
    for (size_t offset = 0; offset < sizeof(cl_icd_dispatch); offset += sizeof(void*)) {
      void** slot = &Slot(door, offset);
      void* function = __atomic_load_n(slot, __ATOMIC_RELAXED);
      if (function == nullptr || IsLoadedFunction(function)) continue;
      __atomic_compare_exchange_n(slot, &function, static_cast<void*>(nullptr), /*weak=*/false,
                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
  }
}

ClCall::ClCall(Tracker& tracker, const CallInfo& info, const void* return_address,
               const void* frame_address, Door door)
    : Call(tracker, info, Words(), return_address, frame_address), door_(door) {}

cl_icd_dispatch& ClCall::NextTable() const { return g_next[door_]; }

void* ClCall::FindNext(const char* name) const {
  if ((door_ == kSymbolDoor || door_ == kSymbolDoor2) && g_hooks.symbol_beside != nullptr) {
    // The program has looked up what it calls, not what a handler asks: that is in the same
    // library.
    for (size_t offset = 0; offset < sizeof(cl_icd_dispatch); offset += sizeof(void*)) {
      const void* function = Slot(door_, offset);
      void* found = function != nullptr ? g_hooks.symbol_beside(name, function) : nullptr;
      if (found != nullptr) return found;  // otherwise that library has been closed meanwhile
    }
  }
  return g_hooks.next_symbol != nullptr ? g_hooks.next_symbol(name, return_address()) : nullptr;
}

cl_int ClCall::DoneSlow(cl_int code) {
  Finish(code);
  if (code == CL_SUCCESS || explained()) return code;
  Failure failure;
  failure.code = code;
  failure.facts = FailureFacts();
  failure.requested_bytes = requested_bytes_;
  failure.out_of_memory =
      too_large_ || code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
      code == CL_OUT_OF_HOST_MEMORY ||
      (requested_bytes_ != 0 && (code == CL_INVALID_BUFFER_SIZE || code == CL_INVALID_IMAGE_SIZE));
  for (const Clause& clause : ClausesFor(info().name, code)) {
    if (!failure.clauses.empty()) failure.clauses += "; or ";
    failure.clauses += ClauseText(clause);
  }
  tracker().ReportFailure(*this, failure);
  return code;
}

// The functions behind the exported symbols (layer/opencl_exports.cc).
extern "C" {
#define GPUSAN_CL_HANDLED(name)                                    \
  __attribute__((visibility("hidden"))) void* gpusan_slot_##name = \
      reinterpret_cast<void*>(GPUSAN_WRAPPER(name, kExportDoor));
#define GPUSAN_CL_PASS(name, reason)
#include "hooks/opencl/entry_points.def"
#undef GPUSAN_CL_HANDLED
#undef GPUSAN_CL_PASS
}

}  // namespace gpusan::opencl
