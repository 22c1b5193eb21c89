// The queue of deferred commands.
#include "hooks/cuda/deferral/deferral_queue.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <mutex>
#include <new>

#include "hooks/common/guard.h"
#include "hooks/common/process_state.h"
#include "hooks/cuda/call/thread_id.h"
#include "tracker/objects/command_log.h"

namespace gpusan::cuda {

namespace deferred_internal {
alignas(64) constinit std::atomic<uint64_t> kept{0};
alignas(64) constinit std::atomic<uint64_t> judged{0};
}  // namespace deferred_internal

namespace {

constexpr uint32_t kRoom = 128 << 10;
// Cache lines of the next command to prefetch: another processor has read the old content.
constexpr uint32_t kNextLines = 5;

}  // namespace

// The ring buffer. The total of bytes before a command gives its position; no command wraps around
// the end.
struct deferred_internal::Backlog {
  // For writers.
  SpinLock keeping;
  uint64_t begin = 0;        // of the command that is being written
  uint64_t judged_once = 0;  // an earlier value of `judged`
  uint64_t last_number = 0;
  // Calls that have returned, indexed by number.
  std::atomic<uint64_t> returned[256] = {};

  // For threads that process commands.
  alignas(64) SpinLock judging;
  JudgedCommand last[256];  // indexed by number

  alignas(64) unsigned char room[kRoom];

  // Returns the command at the position; skips the unused rest in front of the end.
  DeferredCommand* At(uint64_t* at) {
    const uint64_t left = kRoom - *at % kRoom;
    auto* command = reinterpret_cast<DeferredCommand*>(room + *at % kRoom);
    if (left >= sizeof(DeferredCommand) && command->kind != nullptr) return command;
    *at += left;
    return reinterpret_cast<DeferredCommand*>(room);
  }
  bool HasReturned(uint64_t number) const {
    return returned[number % std::size(returned)].load(std::memory_order_acquire) >= number;
  }
  void Return(uint64_t number) {
    returned[number % std::size(returned)].store(number, std::memory_order_release);
  }
};

namespace {

using deferred_internal::Backlog;
using deferred_internal::judged;
using deferred_internal::kept;

constinit ProcessState<Backlog> g_backlog;
constinit std::atomic<bool> g_at_once{false};

// --- processing of commands

// Processes the commands before `until`. `returned`: stops at the first command whose call has not
// returned. Requires the judging lock.
void JudgeUntil(Backlog& backlog, uint64_t until, bool returned) {
  uint64_t at = judged.load(std::memory_order_relaxed);
  const DeferredCommand* before = nullptr;
  while (at < until) {
    DeferredCommand* const command = backlog.At(&at);
    if (returned && !backlog.HasReturned(command->number)) break;
    JudgedCommand result;
    if (!command->gone) {
      CommandLog* const log = command->time != 0 ? command->tracker->command_log() : nullptr;
      if (log != nullptr) log->ActAt(command->time);
      // The next command may be compared with this one, so its room is released only after the
      // next.
      before = command->kind->judge(*command, before, &result) ? command : nullptr;
      if (log != nullptr) log->ActAt(0);
    }
    result.number = command->number;
    backlog.last[result.number % std::size(backlog.last)] = result;
    const uint64_t end = at + command->bytes;
    judged.store(before != nullptr ? at : end, std::memory_order_release);
    at = end;
  }
  judged.store(at, std::memory_order_release);
}

// The value of `judged` when a thread last gave up waiting.
constinit std::atomic<uint64_t> g_given_up_at{UINT64_MAX};

// Waits for the thread that processes commands. That thread finishes soon if it has a processor,
// with one exception: it resolves the stack of a finding and waits for the loader's lock, which the
// thread that runs the initializers of a new library holds while it makes this call.
class Patience {
 public:
  // Returns false when waiting should end.
  bool Wait() {
    if (++turns_ % kSpins != 0) {
      SpinPause();
      return true;
    }
    if (turns_ < kSpins * kYields) {
      sched_yield();
      return true;
    }
    const uint64_t at = judged.load(std::memory_order_acquire);
    if (g_given_up_at.load(std::memory_order_relaxed) == at) return false;
    if (at != at_) {
      at_ = at;
      pauses_ = 0;
    }
    const timespec pause = {0, 50'000};
    nanosleep(&pause, nullptr);
    if (++pauses_ < kPauses) return true;
    g_given_up_at.store(at, std::memory_order_relaxed);
    return false;
  }

 private:
  static constexpr uint32_t kSpins = 256, kYields = 1000;
  static constexpr uint32_t kPauses = 20'000;  // some seconds
  uint32_t turns_ = 0, pauses_ = 0;
  uint64_t at_ = 0;
};

// Takes the judging lock; returns false if that takes too long.
bool LockInTime(Backlog& backlog) {
  Patience patience;
  while (!backlog.judging.try_lock()) {
    if (!patience.Wait()) return false;
  }
  return true;
}

inline void PrefetchForWriting(const void* address) {
#if defined(__x86_64__)
  // Processors without the instruction ignore it.
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
#endif
}

// --- the thread

constexpr int64_t kShortestNs = 300'000, kLongestNs = 10'000'000, kIdleNs = 1'000'000'000;

enum Keeper : uint32_t { kNone, kAsleep, kAwake };
constinit std::atomic<uint32_t> g_keeper{kNone};

// The thread's loop. The interval adapts, so that commands neither wait long nor become many.
void Keep(void*) {
  prctl(PR_SET_TIMERSLACK, 10'000, 0, 0, 0);
  Backlog& backlog = g_backlog.Get();
  uint64_t seen = 0;
  int64_t interval = kShortestNs, idle = 0;
  for (;;) {
    const timespec pause = {0, interval};
    nanosleep(&pause, nullptr);
    const uint64_t until = kept.load(std::memory_order_acquire);
    if (judged.load(std::memory_order_relaxed) != until && backlog.judging.try_lock()) {
      std::lock_guard lock(backlog.judging, std::adopt_lock);
      JudgeUntil(backlog, until, true);
    }
    const uint64_t more = until - seen;
    if (more > kRoom / 128) {
      interval = std::max(interval / 2, kShortestNs);
    } else if (more < kRoom / 512) {
      interval = std::min(interval * 2, kLongestNs);
    }
    idle = more != 0 || judged.load(std::memory_order_relaxed) != until ? 0 : idle + interval;
    seen = until;
    if (idle < kIdleNs) continue;
    {
      std::lock_guard lock(backlog.keeping);
      if (kept.load(std::memory_order_relaxed) != seen) continue;
      g_keeper.store(kAsleep, std::memory_order_relaxed);
    }
    while (g_keeper.load(std::memory_order_acquire) == kAsleep)
      syscall(SYS_futex, &g_keeper, FUTEX_WAIT_PRIVATE, kAsleep, nullptr, nullptr, 0);
    idle = 0;
  }
}

// Requires that the keeping lock is not held.
[[gnu::noinline, gnu::cold]] void WakeKeeper() {
  const int saved_errno = errno;
  const uint32_t was = g_keeper.exchange(kAwake, std::memory_order_acq_rel);
  if (was == kAsleep) {
    syscall(SYS_futex, &g_keeper, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  } else if (was == kNone && CurrentHooks().start_thread != nullptr) {
    // Without the thread, commands wait for the next call.
    CurrentHooks().start_thread("gpusan-judge", &Keep, nullptr);
  }
  errno = saved_errno;
}

// Waits until a command that ends at `end` fits; returns false if there is no room. Requires the
// keeping lock.
[[gnu::noinline, gnu::cold]] bool MakeRoom(Backlog& backlog, uint64_t end) {
  Patience patience;
  for (;;) {
    backlog.judged_once = judged.load(std::memory_order_acquire);
    if (end - backlog.judged_once <= kRoom) return true;
    if (backlog.judging.try_lock()) {
      std::lock_guard lock(backlog.judging, std::adopt_lock);
      JudgeUntil(backlog, kept.load(std::memory_order_relaxed), false);
    } else if (!patience.Wait()) {
      return false;
    }
  }
}

}  // namespace

void deferred_internal::Judge() {
  ReentryGuard guard;
  Backlog& backlog = g_backlog.Get();
  const uint64_t until = kept.load(std::memory_order_acquire);
  Patience patience;
  while (judged.load(std::memory_order_acquire) < until) {
    if (backlog.judging.try_lock()) {
      std::lock_guard lock(backlog.judging, std::adopt_lock);
      return JudgeUntil(backlog, until, false);
    }
    if (!patience.Wait()) return;
  }
}

bool MayDefer(LightCall& call) {
  return !g_at_once.load(std::memory_order_relaxed) && call.site() != kUnknownSite;
}

bool MayDeferWait(LightCall& call) {
  return !call.tracker().own_host_memory_busy() && MayDefer(call);
}

DeferredRoom::DeferredRoom(uint32_t bytes) : backlog_(g_backlog.Get()) {
  Backlog& backlog = backlog_;
  backlog.keeping.lock();
  uint64_t at = kept.load(std::memory_order_relaxed);
  const uint64_t left = kRoom - at % kRoom;
  const bool skips = left < bytes;
  if (skips) at += left;
  if (at + bytes - backlog.judged_once > kRoom) [[unlikely]] {
    if (!MakeRoom(backlog, at + bytes)) {
      room_ = nullptr;
      return;
    }
  }
  if (skips && left >= sizeof(DeferredCommand)) {
    reinterpret_cast<DeferredCommand*>(backlog.room + kRoom - left)->kind = nullptr;
  }
  backlog.begin = at;
  room_ = backlog.room + at % kRoom;
}

uint64_t DeferredRoom::Keep(LightCall& call, Stream* stream, const DeferredKind& kind,
                            bool returned, uint32_t bytes) {
  Backlog& backlog = backlog_;
  const CommandLog* log = call.tracker().command_log();
  auto& command = *static_cast<DeferredCommand*>(room_);
  command.kind = &kind;
  command.tracker = &call.tracker();
  command.info = &call.cu_info();
  command.stream = stream;
  command.number = ++backlog.last_number;
  command.time = log != nullptr ? log->Counter() : 0;
  command.bytes = bytes;
  command.thread = ThreadId();
  command.site = call.site();
  command.path = call.path();
  command.gone = false;
  if (returned) backlog.Return(command.number);
  const uint64_t end = backlog.begin + bytes;
  kept.store(end, std::memory_order_release);
  // At the end of the ring this prefetches past it, which is useless but harmless.
  const unsigned char* const next = backlog.room + end % kRoom;
  for (uint32_t line = 0; line < kNextLines; ++line) PrefetchForWriting(next + line * 64);
  wake_ = g_keeper.load(std::memory_order_relaxed) != kAwake;
  return command.number;
}

DeferredRoom::~DeferredRoom() {
  backlog_.keeping.unlock();
  if (wake_) [[unlikely]]
    WakeKeeper();
}

void DeferredReturned(uint64_t number) { g_backlog.Get().Return(number); }

namespace {

bool TakeBack(uint64_t number, JudgedCommand* result) {
  Backlog& backlog = g_backlog.Get();
  if (!LockInTime(backlog)) return false;
  std::lock_guard lock(backlog.judging, std::adopt_lock);
  const uint64_t end = kept.load(std::memory_order_acquire);
  for (uint64_t at = judged.load(std::memory_order_relaxed); at < end;) {
    DeferredCommand* const command = backlog.At(&at);
    at += command->bytes;
    if (command->number != number) continue;
    command->gone = true;
    backlog.Return(number);
    return true;
  }
  *result = backlog.last[number % std::size(backlog.last)];
  if (result->number != number) *result = JudgedCommand();
  return false;
}

}  // namespace

bool TakeBackDeferred(CuCall& call, uint64_t number, JudgedCommand* judged) {
  if (TakeBack(number, judged)) {
    JudgeDeferred();
    return true;
  }
  // The findings are reported already.
  if (judged->explained) call.SetExplained();
  return false;
}

void SettleDeferred() {
  constexpr int kTries = 2000;
  const uint64_t until = kept.load(std::memory_order_acquire);
  if (judged.load(std::memory_order_acquire) >= until) return;
  ReentryGuard guard;
  Backlog& backlog = g_backlog.Get();
  for (int i = 0; i < kTries; ++i) {
    if (backlog.judging.try_lock()) {
      std::lock_guard lock(backlog.judging, std::adopt_lock);
      return JudgeUntil(backlog, until, false);
    }
    const timespec pause = {0, 50'000};
    nanosleep(&pause, nullptr);
  }
}

void JudgeAtOnce() { g_at_once.store(true, std::memory_order_relaxed); }

namespace {

const ForkReset g_reset([] {
  g_at_once.store(false, std::memory_order_relaxed);
  g_backlog.Forget();
  kept.store(0, std::memory_order_relaxed);
  judged.store(0, std::memory_order_relaxed);
  g_given_up_at.store(UINT64_MAX, std::memory_order_relaxed);
  g_keeper.store(kNone, std::memory_order_relaxed);
});

}  // namespace

}  // namespace gpusan::cuda
