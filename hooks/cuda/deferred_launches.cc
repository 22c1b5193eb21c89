// See the header.
#include "hooks/cuda/deferred_launches.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <mutex>
#include <new>

#include "hooks/cuda/launches.h"
#include "hooks/cuda/process_state.h"
#include "hooks/host/guard.h"
#include "hooks/host/site_cache.h"
#include "tracker/command_log.h"

namespace gpusan::cuda {

namespace deferred_internal {
constinit std::atomic<bool> any{false};
}  // namespace deferred_internal

namespace {

using deferred_internal::any;

constexpr size_t kMostParameters = 128;
constexpr uint32_t kMostBytes = 4608;  // of the arguments of one launch
constexpr uint32_t kRoom = 32 << 10;

// One launch; its arguments lie behind it: each one in words of its own, or as the call packed
// them.
struct Deferred {
  Tracker* tracker;
  const CuInfo* info;
  Function* function;
  Stream* stream;
  uint64_t number;
  int64_t time;      // as of CommandLog::Counter; 0: without a log
  StackRange stack;  // of the thread
  int32_t thread;
  SiteId site;
  LaunchShape shape;
  uint32_t bytes;  // of the arguments
  uint64_t nulls;  // once it is judged, as LaunchArguments::nulls
  Door door;
  bool packed;
  bool gone;

  const unsigned char* arguments() const {
    return reinterpret_cast<const unsigned char*>(this + 1);
  }
  unsigned char* arguments() { return reinterpret_cast<unsigned char*>(this + 1); }
  Deferred* next() { return reinterpret_cast<Deferred*>(arguments() + bytes); }
};
static_assert(sizeof(Deferred) % 8 == 0 && alignof(Deferred) == 8);

uint32_t WordsOf(uint32_t bytes) { return (bytes + 7) / 8 * 8; }

struct Batch {
  SpinLock lock;
  uint32_t count = 0;
  uint32_t used = 0;  // bytes of room
  uint64_t last_number = 0;
  // The commands that the last ones became, by number.
  struct Judged {
    uint64_t number = 0;
    Epoch epoch;
  };
  Judged judged[256];
  alignas(64) unsigned char room[kRoom];

  Deferred* first() { return reinterpret_cast<Deferred*>(room); }
};
constinit ProcessState<Batch> g_batch;
constinit std::atomic<bool> g_at_once{false};

// --- the thread that sees to it that none waits for long

enum Keeper : uint32_t { kNone, kAsleep, kAwake };
constinit std::atomic<uint32_t> g_keeper{kNone};

void Keep(void*) {
  constexpr timespec kTurn = {0, 50'000'000};
  constexpr int kIdleTurns = 20;
  Batch& batch = g_batch.Get();
  uint64_t seen = 0;
  int idle = 0;
  for (;;) {
    nanosleep(&kTurn, nullptr);
    uint64_t waits = 0;  // the number of the first that does
    {
      std::lock_guard lock(batch.lock);
      if (batch.count != 0) waits = batch.first()->number;
      if (waits != 0 || batch.last_number != seen) {
        idle = 0;
      } else if (++idle >= kIdleTurns) {
        g_keeper.store(kAsleep, std::memory_order_relaxed);
      }
    }
    // Those that were there a turn ago are.
    if (waits != 0 && waits <= seen) JudgeDeferredLaunches();
    {
      std::lock_guard lock(batch.lock);
      seen = batch.last_number;
    }
    while (g_keeper.load(std::memory_order_acquire) == kAsleep) {
      syscall(SYS_futex, &g_keeper, FUTEX_WAIT_PRIVATE, kAsleep, nullptr, nullptr, 0);
      idle = 0;
    }
  }
}

// A launch is the first that waits. The lock of the batch is not held.
[[gnu::noinline]] void WakeKeeper() {
  const int saved_errno = errno;
  uint32_t was = g_keeper.exchange(kAwake, std::memory_order_acq_rel);
  if (was == kAsleep) {
    syscall(SYS_futex, &g_keeper, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  } else if (was == kNone && CurrentHooks().start_thread != nullptr) {
    // Without it they wait for the next call.
    CurrentHooks().start_thread("gpusan-launches", &Keep, nullptr);
  }
  errno = saved_errno;
}

// --- judging

// The same launch as the one before it.
bool Repeats(const Deferred& one, const Deferred& before) {
  return one.packed == before.packed && one.function == before.function &&
         one.stream == before.stream && one.info == before.info && one.site == before.site &&
         one.bytes == before.bytes && one.thread == before.thread &&
         std::memcmp(&one.shape, &before.shape, sizeof(one.shape)) == 0 &&
         std::memcmp(one.arguments(), before.arguments(), one.bytes) == 0;
}

class DeferredCall : public CuCall {
 public:
  explicit DeferredCall(const Deferred& one)
      : CuCall(*one.tracker, *one.info, nullptr, nullptr, one.door) {
    SetSite(one.site);
    SetThread(one.thread);
    SetCurrent(one.stream->context);
  }
};

// Returns whether the same again needs no more than a place in the order.
bool JudgeOne(Batch& batch, Deferred& one, const Deferred* before) {
  CommandLog* const log = one.tracker->command_log();
  if (log != nullptr) log->ActAt(one.time);
  DeferredCall call(one);
  KernelLaunch launch;
  launch.shape() = one.shape;
  launch.ByThreadWith(one.stack);
  bool plain = before != nullptr && Repeats(one, *before) &&
               launch.BeginAgain(call, *one.function, one.stream, before->nulls);
  if (plain) {
    one.nulls = before->nulls;
  } else {
    if (one.packed) {
      size_t bytes = one.bytes;
      void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, one.arguments(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                       &bytes, CU_LAUNCH_PARAM_END};
      launch.BeginNow(call, *one.function, one.stream, nullptr, extra);
    } else {
      void* parameters[kMostParameters];
      unsigned char* at = one.arguments();
      const auto& all = one.function->parameters;
      for (size_t i = 0; i < all.size(); ++i) {
        parameters[i] = at;
        at += WordsOf(all[i].bytes);
      }
      launch.BeginNow(call, *one.function, one.stream, parameters, nullptr);
    }
    plain = launch.plain() && !call.has_findings();
    one.nulls = launch.arguments().nulls();
    launch.End(call, CUDA_SUCCESS);
  }
  batch.judged[one.number % std::size(batch.judged)] = {one.number, launch.epoch()};
  call.Done(CUDA_SUCCESS);
  if (log != nullptr) log->ActAt(0);
  return plain;
}

// The lock of the batch is held.
void JudgeAll(Batch& batch) {
  Deferred* one = batch.first();
  const Deferred* before = nullptr;
  for (uint32_t i = 0; i < batch.count; ++i, one = one->next()) {
    if (one->gone) continue;
    before = JudgeOne(batch, *one, before) ? one : nullptr;
  }
  batch.count = 0;
  batch.used = 0;
  any.store(false, std::memory_order_release);
}

// --- keeping

// Copies the value of each parameter; false: one has none.
bool CopyParameters(const Function& function, void** parameters, unsigned char* to) {
  for (const Parameter& parameter : function.parameters) {
    const void* value = *parameters++;
    if (value == nullptr) return false;
    if (parameter.bytes == 8) {
      std::memcpy(to, value, 8);
      to += 8;
    } else if (parameter.bytes == 4) {
      uint32_t word;
      std::memcpy(&word, value, 4);
      const uint64_t wide = word;
      std::memcpy(to, &wide, 8);
      to += 8;
    } else {
      const uint32_t words = WordsOf(parameter.bytes);
      if (words != parameter.bytes) std::memset(to + words - 8, 0, 8);
      std::memcpy(to, value, parameter.bytes);
      to += words;
    }
  }
  return true;
}

// What a pointer parameter was given is NULL or where allocations are: all others may be host
// memory, of which more is known now than later.
bool PointersCanWait(const Tracker& tracker, const Function& function, const Deferred& one) {
  const AddressMap::Span span = tracker.address_span();
  const uint32_t releases = tracker.releases();
  const unsigned char* at = one.arguments();
  for (uint32_t index = 0; index < function.parameters.size(); ++index) {
    const Parameter& parameter = function.parameters[index];
    if (parameter.type.kind == ParameterKind::kPointer) {
      const unsigned char* value = one.packed ? one.arguments() + parameter.offset : at;
      if (one.packed && (one.bytes < parameter.offset || one.bytes - parameter.offset < 8))
        return false;
      uintptr_t address;
      std::memcpy(&address, value, 8);
      if (address != 0 && !span.Holds(address) &&
          !(parameter.type.constant &&
            (one.stack.Holds(address) || function.harmless.Holds(index, address, releases))))
        return false;
    }
    at += WordsOf(parameter.bytes);
  }
  return true;
}

}  // namespace

void deferred_internal::Judge() {
  ReentryGuard guard;
  Batch& batch = g_batch.Get();
  std::lock_guard lock(batch.lock);
  JudgeAll(batch);
}

uint64_t DeferLaunch(CuCall& call, Function& function, Stream* stream, const LaunchShape& shape,
                     void** parameters, void** extra) {
  const SiteId site = call.site();
  if (site == kUnknownSite || function.handle == 0 || g_at_once.load(std::memory_order_relaxed))
    return 0;
  const bool packed = parameters == nullptr && extra != nullptr;
  const PackedArguments from(packed ? extra : nullptr);
  if (packed && from.bytes > kMostBytes) return 0;
  const uint32_t bytes = packed                  ? WordsOf(static_cast<uint32_t>(from.bytes))
                         : parameters != nullptr ? function.argument_bytes
                                                 : 0;
  if (bytes > kMostBytes || function.parameters.size() > kMostParameters ||
      (!packed && parameters == nullptr && !function.parameters.empty()))
    return 0;
  const CommandLog* log = call.tracker().command_log();
  Batch& batch = g_batch.Get();
  uint64_t number;
  bool wake = false;
  {
    std::lock_guard lock(batch.lock);
    if (batch.count == kMostDeferred || kRoom - batch.used < sizeof(Deferred) + bytes)
      JudgeAll(batch);
    Deferred& one = *new (batch.room + batch.used) Deferred;
    one.packed = packed;
    one.bytes = bytes;
    if (!packed) {
      if (!CopyParameters(function, parameters, one.arguments())) return 0;
    } else if (bytes != 0) {
      std::memset(one.arguments() + bytes - 8, 0, 8);
      std::memcpy(one.arguments(), from.begin, from.bytes);
    }
    one.stack = OwnStack();
    if (!PointersCanWait(call.tracker(), function, one)) return 0;
    one.tracker = &call.tracker();
    one.info = &call.cu_info();
    one.function = &function;
    one.stream = stream;
    one.number = number = ++batch.last_number;
    one.time = log != nullptr ? log->Counter() : 0;
    one.thread = LaunchingThread();
    one.site = site;
    one.shape = shape;
    one.door = call.door();
    one.gone = false;
    batch.used += static_cast<uint32_t>(sizeof(Deferred)) + bytes;
    if (batch.count++ == 0) {
      any.store(true, std::memory_order_release);
      wake = g_keeper.load(std::memory_order_relaxed) != kAwake;
    }
  }
  if (wake) [[unlikely]]
    WakeKeeper();
  return number;
}

bool TakeBackLaunch(uint64_t number, Epoch* epoch) {
  Batch& batch = g_batch.Get();
  std::lock_guard lock(batch.lock);
  Deferred* one = batch.first();
  for (uint32_t i = 0; i < batch.count; ++i, one = one->next()) {
    if (one->number != number) continue;
    one->gone = true;
    return true;
  }
  const Batch::Judged& judged = batch.judged[number % std::size(batch.judged)];
  *epoch = judged.number == number ? judged.epoch : Epoch();
  return false;
}

void SettleDeferredLaunches() {
  constexpr int kTries = 2000;
  if (!any.load(std::memory_order_acquire)) return;
  ReentryGuard guard;
  Batch& batch = g_batch.Get();
  for (int i = 0; i < kTries; ++i) {
    if (batch.lock.try_lock()) {
      std::lock_guard lock(batch.lock, std::adopt_lock);
      return JudgeAll(batch);
    }
    const timespec pause = {0, 50'000};
    nanosleep(&pause, nullptr);
  }
}

void JudgeLaunchesAtOnce() { g_at_once.store(true, std::memory_order_relaxed); }

void ForgetDeferredLaunches() {
  g_at_once.store(false, std::memory_order_relaxed);
  g_batch.Forget();
  any.store(false, std::memory_order_relaxed);
  g_keeper.store(kNone, std::memory_order_relaxed);
}

}  // namespace gpusan::cuda
