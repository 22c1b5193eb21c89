// The functions behind gpusan.h.
#include "layer/runtime/program_interface.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <iterator>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hooks/common/guard.h"
#include "hooks/common/thread_words.h"
#include "layer/runtime/gpusan.h"
#include "layer/runtime/runtime.h"
#include "layer/runtime/shadow.h"
#include "tracker/base/spin_lock.h"
#include "tracker/model/rule_ids.h"
#include "tracker/objects/given_names.h"

namespace gpusan {
namespace {

constexpr size_t kMostTags = size_t{1} << 16;
constexpr size_t kMostKept = 1000;

// The declarations of the program by gpusan.h. Created at the first use, and never destroyed.
struct ProgramState {
  std::mutex mutex;  // a leaf, except that order_wait takes locks of the tracker
  std::unordered_map<const void*, Snapshot> signals;  // by tag
  std::vector<std::pair<int32_t, int>> ignoring;  // threads, and their depths of ignored regions
  gpusan_callback callback = nullptr;
  void* user = nullptr;
  bool keeps = false;         // whether findings are kept for TakeFindings
  std::vector<Finding> kept;  // at most kMostKept
};

constinit std::atomic<ProgramState*> g_state{nullptr};
constinit SpinLock g_state_lock;  // guards the creation

ProgramState& State() {
  ProgramState* state = g_state.load(std::memory_order_acquire);
  if (state != nullptr) return *state;
  std::lock_guard lock(g_state_lock);
  state = g_state.load(std::memory_order_acquire);
  if (state == nullptr) {
    state = new ProgramState;
    g_state.store(state, std::memory_order_release);
  }
  return *state;
}

int32_t ThisThread() { return static_cast<int32_t>(syscall(SYS_gettid)); }

// Checks all deferred calls.
void Settle() {
  ForEachApi([](const ApiPart& part) {
    if (part.settle != nullptr) part.settle();
  });
}

Api ApiFrom(int api) {
  switch (api) {
    case GPUSAN_API_OPENCL:
      return Api::kOpenCL;
    case GPUSAN_API_CUDA:
      return Api::kCuda;
    case GPUSAN_API_VULKAN:
      return Api::kVulkan;
    default:
      return Api::kNone;
  }
}

// The live object with this handle or address; nullptr if there is none, or if the handle names
// objects of several kinds.
Object* FindLive(Tracker& tracker, Api api, uint64_t handle) {
  if (api == Api::kNone || handle == 0) return nullptr;
  Object* found = nullptr;
  for (int kind = 1; kind < kObjectKinds; ++kind) {
    Object* object =
        tracker.objects().Find(api, static_cast<ObjectKind>(kind), static_cast<uintptr_t>(handle));
    if (object == nullptr || !object->live() || object == found) continue;
    if (found != nullptr) return nullptr;
    found = object;
  }
  if (found != nullptr) return found;
  uint64_t offset = 0;
  Object* resource = tracker.objects().FindAddress(static_cast<uintptr_t>(handle), &offset);
  return resource != nullptr && resource->api == api ? resource : nullptr;
}

Queue* FindQueue(Tracker& tracker, Api api, uint64_t handle) {
  if (api == Api::kNone || handle == 0) return nullptr;
  Object* object = tracker.objects().Find(api, ObjectKind::kQueue, static_cast<uintptr_t>(handle));
  return object != nullptr && object->live() && object->kind == ObjectKind::kQueue
             ? static_cast<Queue*>(object)
             : nullptr;
}

// --- The functions of gpusan.h. They catch all exceptions, because the program must not notice
// that gpusan lacks memory.

// Calls `act(Tracker&)` after all deferred calls, if there is a tracker.
template <typename Act>
void WithTracker(Act act) {
  ReentryGuard guard;
  Tracker* tracker = ShadowIfAny();
  if (tracker == nullptr) return;
  try {
    Settle();
    act(*tracker);
  } catch (...) {
  }
}

void NameObject(int api, uint64_t handle, const char* name) {
  NameProgramObject(ApiFrom(api), handle, name);
}

void OrderSignal(int api, uint64_t queue, const void* tag) {
  WithTracker([&](Tracker& tracker) {
    Queue* found = FindQueue(tracker, ApiFrom(api), queue);
    if (found == nullptr) return;
    Snapshot point = tracker.ordering().Snap(*found);
    ProgramState& state = State();
    std::lock_guard lock(state.mutex);
    if (state.signals.size() >= kMostTags) state.signals.clear();
    state.signals[tag] = std::move(point);
  });
}

void OrderWait(int api, uint64_t queue, const void* tag) {
  WithTracker([&](Tracker& tracker) {
    Queue* found = FindQueue(tracker, ApiFrom(api), queue);
    if (found == nullptr && queue != 0) return;
    ProgramState& state = State();
    std::lock_guard lock(state.mutex);
    const auto point = state.signals.find(tag);
    if (point == state.signals.end()) return;
    if (found != nullptr) {
      tracker.ordering().OrderBehind(*found, point->second);
    } else {
      tracker.ordering().WaitSnapshot(point->second);
    }
  });
}

void ChangeIgnoring(int change) {
  ReentryGuard guard;
  try {
    // Deferred calls of this thread are checked before the region changes.
    if (ShadowIfAny() != nullptr) Settle();
    const int32_t thread = ThisThread();
    ProgramState& state = State();
    std::lock_guard lock(state.mutex);
    for (auto one = state.ignoring.begin(); one != state.ignoring.end(); ++one) {
      if (one->first != thread) continue;
      one->second += change;
      if (one->second <= 0) state.ignoring.erase(one);
      return;
    }
    if (change > 0) state.ignoring.emplace_back(thread, change);
  } catch (...) {
  }
}

void IgnoreBegin() { ChangeIgnoring(+1); }
void IgnoreEnd() { ChangeIgnoring(-1); }

uint64_t FindingCount() {
  ReentryGuard guard;
  if (ShadowIfAny() != nullptr) Settle();
  return Runtime::Get().writer()->findings();
}

// Set while this thread reports leaks for CheckNothingLive.
constinit std::atomic<int32_t> g_checking{0};

uint64_t CheckNothingLive() {
  ReentryGuard guard;
  Tracker* tracker = ShadowIfAny();
  if (tracker == nullptr) return 0;
  try {
    Settle();
    const uint64_t before = Runtime::Get().writer()->findings();
    g_checking.store(ThisThread(), std::memory_order_release);
    ForEachApi([&](const ApiPart& part) {
      if (part.calls_seen() != 0) tracker->ReportLeaks(part.words(), part.api, nullptr);
    });
    g_checking.store(0, std::memory_order_release);
    return Runtime::Get().writer()->findings() - before;
  } catch (...) {
    g_checking.store(0, std::memory_order_release);
    return 0;
  }
}

// The finding as programs see it. It refers to the strings of `finding`.
gpusan_finding ViewOf(const Finding& finding) {
  return {
      sizeof(gpusan_finding),
      finding.severity == Severity::kError     ? GPUSAN_ERROR
      : finding.severity == Severity::kWarning ? GPUSAN_WARNING
                                               : GPUSAN_NOTE,
      finding.thread != 0 ? finding.thread : ThisThread(),
      InfoOf(finding.rule).id,
      finding.call.c_str(),
      finding.what.c_str(),
      finding.why.c_str(),
      finding.fix.c_str(),
  };
}

// Passes a finding to the program and to debuggers.
void PassToProgram(const Finding& finding) {
  const std::string_view severity = SeverityName(finding.severity);
  const gpusan_finding view = ViewOf(finding);
  std::string text = "gpusan: " + std::string(severity) + ": " + view.check;
  if (!finding.call.empty()) text += " in " + finding.call;
  text +=
      "\n  what: " + finding.what + "\n  why: " + finding.why + "\n  fix: " + finding.fix + "\n";
  __gpusan_on_report(text.c_str(), &view);
  ProgramState* state = g_state.load(std::memory_order_acquire);
  if (state == nullptr) return;
  gpusan_callback callback = nullptr;
  void* user = nullptr;
  {
    std::lock_guard lock(state->mutex);
    callback = state->callback;
    user = state->user;
    if (state->keeps && state->kept.size() < kMostKept) {
      state->kept.push_back(finding);
      state->kept.back().thread = view.thread;
    }
  }
  if (callback != nullptr) callback(&view, user);
}

void SetCallback(gpusan_callback callback, void* user) {
  ReentryGuard guard;
  try {
    ProgramState& state = State();
    std::lock_guard lock(state.mutex);
    state.callback = callback;
    state.user = user;
  } catch (...) {
  }
}

uint64_t TakeFindings(gpusan_callback callback, void* user) {
  ReentryGuard guard;
  try {
    if (ShadowIfAny() != nullptr) Settle();
    std::vector<Finding> findings;
    ProgramState& state = State();
    {
      std::lock_guard lock(state.mutex);
      state.keeps = true;
      findings.swap(state.kept);
    }
    for (const Finding& finding : findings) {
      const gpusan_finding view = ViewOf(finding);
      if (callback != nullptr) callback(&view, user);
    }
    return findings.size();
  } catch (...) {
    return 0;
  }
}

// --- Pools.

enum PoolFunction { kPoolCreate, kPoolDestroy, kBlockAlloc, kBlockFree, kBlockUse, kPoolFunctions };

const CallInfo& InfoOfPool(PoolFunction function, Api api) {
  static constexpr const char* kNames[] = {"gpusan_pool_create", "gpusan_pool_destroy",
                                           "gpusan_block_alloc", "gpusan_block_free",
                                           "gpusan_block_use"};
  static_assert(std::size(kNames) == kPoolFunctions);
  static const auto* const infos = [] {
    auto* made = new CallInfo[kApiCount][kPoolFunctions];
    for (int i = 0; i < kApiCount; ++i) {
      for (int j = 0; j < kPoolFunctions; ++j) made[i][j] = {kNames[j], static_cast<Api>(i)};
    }
    return made;
  }();
  return infos[static_cast<int>(api)][function];
}

// Calls `act(Tracker&, Call&, base)` for the pool. Dissolves the pool instead if calls are being
// recorded: recorded work uses its addresses later, when they may belong to other blocks.
template <typename Act>
[[gnu::always_inline]] inline void WithPool(uint64_t pool, PoolFunction function, Act act) {
  ReentryGuard guard;
  const auto api = static_cast<Api>(pool >> 56);
  const uintptr_t base = pool & ((uint64_t{1} << 56) - 1);
  Tracker* tracker = ShadowIfAny();
  if (tracker == nullptr || (api != Api::kOpenCL && api != Api::kCuda)) return;
  try {
    const Vocabulary* words = WordsOf(api);
    if (words == nullptr) return;
    Settle();
    Call call(*tracker, InfoOfPool(function, api), *words, __builtin_return_address(0),
              __builtin_frame_address(0));
    bool recording = false;
    ForEachApi(
        [&](const ApiPart& part) { recording |= part.recording != nullptr && part.recording(); });
    if (recording) {
      tracker->block_pools().Dissolve(call, base);
    } else {
      act(*tracker, call, base);
    }
    call.Finish(0);
  } catch (...) {
  }
}

// The number of a pool: its API and the address of its allocation.
uint64_t PoolNumber(Api api, uint64_t memory) { return memory | static_cast<uint64_t>(api) << 56; }

[[gnu::noinline]] uint64_t PoolCreate(int api, uint64_t memory, uint32_t flags) {
  ReentryGuard guard;
  Tracker* tracker = ShadowIfAny();
  if (tracker == nullptr || memory >> 56 != 0) return 0;
  try {
    Settle();
    uint64_t offset = 0;
    Resource* parent = tracker->objects().FindAddress(static_cast<uintptr_t>(memory), &offset);
    if (parent == nullptr || offset != 0 || parent->api != ApiFrom(api) || parent->is_block() ||
        !tracker->block_pools().Create(*parent, (flags & GPUSAN_POOL_EXACT) != 0))
      return 0;
    return PoolNumber(parent->api, memory);
  } catch (...) {
    return 0;
  }
}

[[gnu::noinline]] void PoolDestroy(uint64_t pool) {
  WithPool(pool, kPoolDestroy, [](Tracker& tracker, Call& call, uintptr_t base) {
    tracker.block_pools().Destroy(call, base);
  });
}

[[gnu::noinline]] void BlockAlloc(uint64_t pool, uint64_t address, size_t bytes, uint64_t stream,
                                  uint32_t flags) {
  WithPool(pool, kBlockAlloc, [&](Tracker& tracker, Call& call, uintptr_t base) {
    BlockPools::NewBlock block;
    block.address = static_cast<uintptr_t>(address);
    block.bytes = bytes;
    block.written = (flags & GPUSAN_BLOCK_WRITTEN) != 0;
    block.queue = FindQueue(tracker, call.info().api, stream);
    tracker.block_pools().Allocate(call, base, block);
  });
}

[[gnu::noinline]] void BlockFree(uint64_t pool, uint64_t address, uint64_t stream) {
  WithPool(pool, kBlockFree, [&](Tracker& tracker, Call& call, uintptr_t base) {
    Queue* queue = FindQueue(tracker, call.info().api, stream);
    if (!tracker.block_pools().Free(call, base, static_cast<uintptr_t>(address), queue))
      tracker.block_pools().CheckFree(call, base, static_cast<uintptr_t>(address));
  });
}

[[gnu::noinline]] void BlockUse(uint64_t pool, uint64_t address, uint64_t stream) {
  WithPool(pool, kBlockUse, [&](Tracker& tracker, Call& call, uintptr_t base) {
    Queue* queue = FindQueue(tracker, call.info().api, stream);
    if (queue != nullptr)
      tracker.block_pools().NoteUse(base, static_cast<uintptr_t>(address), *queue);
  });
}

constexpr gpusan_functions kFunctions = {sizeof(gpusan_functions),
                                         NameObject,
                                         OrderSignal,
                                         OrderWait,
                                         IgnoreBegin,
                                         IgnoreEnd,
                                         CheckNothingLive,
                                         FindingCount,
                                         SetCallback,
                                         TakeFindings,
                                         PoolCreate,
                                         PoolDestroy,
                                         BlockAlloc,
                                         BlockFree,
                                         BlockUse};

void AddThreadFacts(Finding* finding) {
  const bool is_own = finding->thread == 0;
  std::string range = is_own ? InnermostRange() : ProcessedRange();
  if (!range.empty()) finding->facts.push_back({"range", std::move(range)});
  std::string name = ThreadName(is_own ? ThisThread() : finding->thread);
  if (!name.empty()) finding->facts.push_back({"thread_name", std::move(name)});
}

__attribute__((constructor)) void Listen() {
  ReentryGuard guard;
  Runtime::Get().writer()->AddListener(PassToProgram);
}

}  // namespace

void ProgramFilter::Report(Finding&& finding) {
  if (g_checking.load(std::memory_order_acquire) == ThisThread()) {
    // The words of the check are for the end of the process.
    constexpr std::string_view kAtEnd = " when the process ends";
    if (const size_t at = finding.what.rfind(kAtEnd); at != std::string::npos)
      finding.what.replace(at, kAtEnd.size(), " where the program says that nothing may be live");
  }
  ProgramState* state = g_state.load(std::memory_order_acquire);
  if (state != nullptr) {
    const int32_t thread = finding.thread != 0 ? finding.thread : ThisThread();
    std::lock_guard lock(state->mutex);
    for (const auto& [ignoring, depth] : state->ignoring) {
      if (ignoring == thread) return;
    }
  }
  // Findings without a call are about the whole process.
  if (!finding.call.empty()) AddThreadFacts(&finding);
  next_.Report(std::move(finding));
}

bool ProgramFilter::CountRepeat(const FindingKey& key) {
  if (ProgramState* state = g_state.load(std::memory_order_acquire); state != nullptr) {
    std::lock_guard lock(state->mutex);
    if (!state->ignoring.empty()) return false;
  }
  return counter_.CountRepeat(key);
}

void NameProgramObject(Api api, uint64_t handle, const char* name) {
  if (name == nullptr) return;
  WithTracker([&](Tracker& tracker) {
    if (const Object* object = FindLive(tracker, api, handle); object != nullptr)
      GiveName(*object, name);
  });
}

void ForgetProgramWordsAfterFork() {
  ForgetGivenNamesAfterFork();
  ProgramState* const before = g_state.load(std::memory_order_acquire);
  if (before == nullptr) return;
  // Another thread of the parent may hold the lock of the old object, which is not freed.
  ProgramState* const now = new ProgramState;
  now->callback = before->callback;
  now->user = before->user;
  now->keeps = before->keeps;
  g_state.store(now, std::memory_order_release);
}

}  // namespace gpusan

extern "C" {

__attribute__((visibility("default"))) const gpusan_functions* gpusan_interface(uint32_t version) {
  return version == GPUSAN_INTERFACE_VERSION ? &gpusan::kFunctions : nullptr;
}

__attribute__((visibility("default"), noinline)) void __gpusan_on_report(
    const char* text, const gpusan_finding* finding) {
  // A debugger stops here, and reads the arguments.
  asm volatile("" : : "r"(text), "r"(finding) : "memory");
}

}  // extern "C"
