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

#include "hooks/common/base/process_state.h"
#include "hooks/common/guard.h"
#include "hooks/common/thread_words.h"
#include "hooks/cuda/call/thread_id.h"
#include "tracker/objects/command_log.h"

namespace gpusan::cuda {

namespace deferred_internal {
alignas(64) constinit std::atomic<uint64_t> queued{0};
alignas(64) constinit std::atomic<uint64_t> processed{0};
alignas(64) constinit std::atomic<Worker> worker{Worker::kNone};
}  // namespace deferred_internal

namespace {

constexpr uint32_t kRingBytes = 128 << 10;
// Cache lines of the next command to prefetch: another processor has read the old content.
constexpr uint32_t kNextLines = 5;

}  // namespace

// The ring buffer. The total of bytes before a command gives its position; no command wraps around
// the end.
struct deferred_internal::Ring {
  // For writers.
  SpinLock enqueue_lock;
  uint64_t begin = 0;           // of the command that is being written
  uint64_t seen_processed = 0;  // an earlier value of `processed`
  uint64_t last_number = 0;
  // Calls that have returned, indexed by number.
  std::atomic<uint64_t> returned[256] = {};

  // For threads that process commands.
  alignas(64) SpinLock process_lock;
  ProcessedCommand last[256];  // indexed by number

  alignas(64) unsigned char room[kRingBytes];

  // Returns the command at the position; skips the unused rest in front of the end.
  DeferredCommand* At(uint64_t* at) {
    const uint64_t left = kRingBytes - *at % kRingBytes;
    auto* command = reinterpret_cast<DeferredCommand*>(room + *at % kRingBytes);
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

using deferred_internal::processed;
using deferred_internal::queued;
using deferred_internal::Ring;
using deferred_internal::Worker;
using deferred_internal::worker;

constinit ProcessState<Ring> g_ring;
constinit std::atomic<bool> g_stopped{false};

// --- processing of commands

// Processes the commands before `until`. `returned`: stops at the first command whose call has not
// returned. Requires process_lock.
void ProcessUntil(Ring& ring, uint64_t until, bool returned) {
  uint64_t at = processed.load(std::memory_order_relaxed);
  const DeferredCommand* before = nullptr;
  while (at < until) {
    DeferredCommand* const command = ring.At(&at);
    if (returned && !ring.HasReturned(command->number)) break;
    ProcessedCommand result;
    if (command->taken_back) {
      before = nullptr;  // its room is released below
    } else {
      CommandLog* const log =
          command->time != 0 ? command->tracker->ordering().command_log() : nullptr;
      if (log != nullptr) log->ActAt(command->time);
      // The next command may be compared with this one, so its room is released only after the
      // next.
      SetProcessedRange(command->range);
      before = command->kind->process(*command, before, &result) ? command : nullptr;
      if (log != nullptr) log->ActAt(0);
    }
    result.number = command->number;
    ring.last[result.number % std::size(ring.last)] = result;
    const uint64_t end = at + command->bytes;
    processed.store(before != nullptr ? at : end, std::memory_order_release);
    at = end;
  }
  processed.store(at, std::memory_order_release);
}

// The value of `processed` when a thread last gave up waiting.
constinit std::atomic<uint64_t> g_given_up_at{UINT64_MAX};

// Waits for the thread that processes commands. That thread finishes soon if it has a processor,
// with one exception: it resolves the stack of a finding and waits for the loader's lock, which the
// thread that runs the initializers of a new library holds while it makes this call.
class BoundedWait {
 public:
  // Returns false when waiting should end.
  bool Again() {
    if (++tries_ % kSpins != 0) {
      SpinPause();
      return true;
    }
    if (tries_ < kSpins * kYields) {
      sched_yield();
      return true;
    }
    const uint64_t at = processed.load(std::memory_order_acquire);
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
  uint32_t tries_ = 0, pauses_ = 0;
  uint64_t at_ = 0;
};

// Takes process_lock; returns false if that takes too long.
bool LockProcessing(Ring& ring) {
  BoundedWait wait;
  while (!ring.process_lock.try_lock()) {
    if (!wait.Again()) return false;
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

// --- the worker: the thread that processes commands in the background

constexpr int64_t kShortestNs = 300'000, kLongestNs = 10'000'000, kIdleNs = 1'000'000'000;

// The worker's loop. The interval adapts, so that commands neither wait long nor become many.
void RunWorker(void*) {
  prctl(PR_SET_TIMERSLACK, 10'000, 0, 0, 0);
  Ring& ring = g_ring.Get();
  uint64_t seen = 0;
  int64_t interval = kShortestNs, idle = 0;
  for (;;) {
    const timespec pause = {0, interval};
    nanosleep(&pause, nullptr);
    const uint64_t until = queued.load(std::memory_order_acquire);
    if (processed.load(std::memory_order_relaxed) != until && ring.process_lock.try_lock()) {
      std::lock_guard lock(ring.process_lock, std::adopt_lock);
      ProcessUntil(ring, until, true);
    }
    const uint64_t more = until - seen;
    if (more > kRingBytes / 128) {
      interval = std::max(interval / 2, kShortestNs);
    } else if (more < kRingBytes / 512) {
      interval = std::min(interval * 2, kLongestNs);
    }
    idle = more != 0 || processed.load(std::memory_order_relaxed) != until ? 0 : idle + interval;
    seen = until;
    if (idle < kIdleNs) continue;
    {
      std::lock_guard lock(ring.enqueue_lock);
      if (queued.load(std::memory_order_relaxed) != seen) continue;
      worker.store(Worker::kAsleep, std::memory_order_relaxed);
    }
    while (worker.load(std::memory_order_acquire) == Worker::kAsleep)
      syscall(SYS_futex, &worker, FUTEX_WAIT_PRIVATE, static_cast<uint32_t>(Worker::kAsleep),
              nullptr, nullptr, 0);
    idle = 0;
  }
}

// Requires that enqueue_lock is not held.
[[gnu::noinline, gnu::cold]] void WakeWorker() {
  const int saved_errno = errno;
  const Worker was = worker.exchange(Worker::kAwake, std::memory_order_acq_rel);
  if (was == Worker::kAsleep) {
    syscall(SYS_futex, &worker, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  } else if (was == Worker::kNone && CurrentHooks().start_thread != nullptr) {
    // Without the worker, commands wait for the next call.
    CurrentHooks().start_thread("gpusan-defer", &RunWorker, nullptr);
  }
  errno = saved_errno;
}

// Waits until a command that ends at `end` fits; returns false if there is no room. Requires
// enqueue_lock.
[[gnu::noinline, gnu::cold]] bool MakeRoom(Ring& ring, uint64_t end) {
  BoundedWait wait;
  for (;;) {
    ring.seen_processed = processed.load(std::memory_order_acquire);
    if (end - ring.seen_processed <= kRingBytes) return true;
    if (ring.process_lock.try_lock()) {
      std::lock_guard lock(ring.process_lock, std::adopt_lock);
      ProcessUntil(ring, queued.load(std::memory_order_relaxed), false);
    } else if (!wait.Again()) {
      return false;
    }
  }
}

}  // namespace

void deferred_internal::Process() {
  ReentryGuard guard;
  Ring& ring = g_ring.Get();
  const uint64_t until = queued.load(std::memory_order_acquire);
  BoundedWait wait;
  while (processed.load(std::memory_order_acquire) < until) {
    if (ring.process_lock.try_lock()) {
      std::lock_guard lock(ring.process_lock, std::adopt_lock);
      return ProcessUntil(ring, until, false);
    }
    if (!wait.Again()) return;
  }
}

bool MayDefer(FastCall& call) {
  return !g_stopped.load(std::memory_order_relaxed) && call.site() != kUnknownSite;
}

bool MayDeferWait(FastCall& call) {
  return !call.tracker().host_side().own_busy() && MayDefer(call);
}

DeferredRoom::DeferredRoom(uint32_t bytes) : ring_(g_ring.Get()) {
  Ring& ring = ring_;
  ring.enqueue_lock.lock();
  uint64_t at = queued.load(std::memory_order_relaxed);
  const uint64_t left = kRingBytes - at % kRingBytes;
  const bool skips = left < bytes;
  if (skips) at += left;
  if (at + bytes - ring.seen_processed > kRingBytes) [[unlikely]] {
    if (!MakeRoom(ring, at + bytes)) {
      room_ = nullptr;
      return;
    }
  }
  if (skips && left >= sizeof(DeferredCommand)) {
    reinterpret_cast<DeferredCommand*>(ring.room + kRingBytes - left)->kind = nullptr;
  }
  ring.begin = at;
  room_ = ring.room + at % kRingBytes;
}

void DeferredRoom::Enqueue(FastCall& call, Stream* stream, const DeferredKind& kind, bool returned,
                           uint32_t bytes) {
  Ring& ring = ring_;
  const CommandLog* log = call.tracker().ordering().command_log();
  auto& command = *static_cast<DeferredCommand*>(room_);
  command.kind = &kind;
  command.tracker = &call.tracker();
  command.info = &call.cu_info();
  command.stream = stream;
  call.ticket = command.number = ++ring.last_number;
  command.time = log != nullptr ? log->Counter() : 0;
  command.bytes = bytes;
  command.thread = ThreadId();
  command.site = call.site();
  command.path = call.path();
  command.taken_back = false;
  command.range = NumberInnermostRange();
  if (returned) ring.Return(command.number);
  const uint64_t end = ring.begin + bytes;
  queued.store(end, std::memory_order_release);
  // At the end of the ring this prefetches past it, which is useless but harmless.
  const unsigned char* const next = ring.room + end % kRingBytes;
  for (uint32_t line = 0; line < kNextLines; ++line) PrefetchForWriting(next + line * 64);
  wake_ = worker.load(std::memory_order_relaxed) != Worker::kAwake;
}

DeferredRoom::~DeferredRoom() {
  ring_.enqueue_lock.unlock();
  if (wake_) [[unlikely]]
    WakeWorker();
}

void DeferredReturned(uint64_t number) { g_ring.Get().Return(number); }

namespace {

bool TakeBack(uint64_t number, ProcessedCommand* result) {
  Ring& ring = g_ring.Get();
  if (!LockProcessing(ring)) return false;
  std::lock_guard lock(ring.process_lock, std::adopt_lock);
  const uint64_t end = queued.load(std::memory_order_acquire);
  for (uint64_t at = processed.load(std::memory_order_relaxed); at < end;) {
    DeferredCommand* const command = ring.At(&at);
    at += command->bytes;
    if (command->number != number) continue;
    command->taken_back = true;
    ring.Return(number);
    return true;
  }
  *result = ring.last[number % std::size(ring.last)];
  if (result->number != number) *result = ProcessedCommand();
  return false;
}

}  // namespace

bool TakeBackDeferred(CuCall& call, uint64_t number, ProcessedCommand* result) {
  if (TakeBack(number, result)) {
    ProcessDeferred();
    return true;
  }
  // The findings are reported already.
  if (result->explained) call.SetExplained();
  return false;
}

void SettleDeferred() {
  constexpr int kTries = 2000;
  const uint64_t until = queued.load(std::memory_order_acquire);
  if (processed.load(std::memory_order_acquire) >= until) return;
  ReentryGuard guard;
  Ring& ring = g_ring.Get();
  for (int i = 0; i < kTries; ++i) {
    if (ring.process_lock.try_lock()) {
      std::lock_guard lock(ring.process_lock, std::adopt_lock);
      return ProcessUntil(ring, until, false);
    }
    const timespec pause = {0, 50'000};
    nanosleep(&pause, nullptr);
  }
}

void StopDeferral() { g_stopped.store(true, std::memory_order_relaxed); }

namespace {

const ForkReset g_reset([] {
  g_stopped.store(false, std::memory_order_relaxed);
  g_ring.Forget();
  queued.store(0, std::memory_order_relaxed);
  processed.store(0, std::memory_order_relaxed);
  g_given_up_at.store(UINT64_MAX, std::memory_order_relaxed);
  worker.store(Worker::kNone, std::memory_order_relaxed);
});

}  // namespace

}  // namespace gpusan::cuda
