// The last commands of the process, what they were ordered behind, and what the host waited for:
// for people who want to see them on a time axis. Nothing is judged by it.
//
// Thread-safe. Kept in rings of plain entries: the first threads of a process have one of their own,
// which only they write, the others share one. Logging costs a few plain stores and a time stamp. What
// a ring has no room for is overwritten, oldest first, and counted.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tracker/clock.h"
#include "tracker/ids.h"
#include "tracker/operation.h"
#include "tracker/spin_lock.h"

namespace gpusan {

struct alignas(64) LogEntry {
  enum Kind : uint8_t {
    kCommand,   // `epoch` was enqueued; `behind`: what its wait list named
    kOrder,     // everything of the timeline from `epoch` on is behind `behind`
    kHostWait,  // the host knows `behind` to be complete
    kFailed,    // the call that enqueued `epoch` failed: there is no such command
  };
  int64_t time = 0;  // ns since 1970, good to about a microsecond; with Beat() see there
  Epoch epoch;
  Epoch behind[2];
  const CallInfo* call = nullptr;  // of commands
  uintptr_t queue = 0;             // its handle; of commands
  SiteId site = kUnknownSite;
  SiteId queue_site = kUnknownSite;  // of its creation
  Kind kind = kCommand;
  bool in_order = false;
};
static_assert(sizeof(LogEntry) == 64, "an entry is a cache line");

class CommandLog {
 public:
  // Keeps at least the last `capacity` entries of each thread until they are taken.
  explicit CommandLog(uint64_t capacity);
  ~CommandLog();
  CommandLog(const CommandLog&) = delete;
  CommandLog& operator=(const CommandLog&) = delete;

  void Command(const struct Queue& queue, Epoch epoch, const CallInfo& call, SiteId site,
               const Clock& behind);
  void Command(const struct Queue& queue, Epoch epoch, const CallInfo& call, SiteId site);
  void Order(Epoch first, const Clock& behind);
  void HostWait(Epoch epoch);
  void Failed(Epoch epoch);

  // What was logged since the last time, in the order of time.
  std::vector<LogEntry> Take();

  // Entries that were overwritten before they were taken.
  uint64_t overwritten();

  // Reading the time is most of what an entry costs. To be called again and again by one thread, each
  // time after as many ns as it returned the last time: while the process logs more than a hundred
  // thousand commands a second, and only then, a thread reads the time for one command of 16, for the first
  // after each call of this, and for all that are no commands. The others get times in between, which
  // are then good to a millisecond, or to what passes between two calls.
  int64_t Beat();

 private:
  static constexpr size_t kOwnRings = 16;  // of threads; behind them the one that the others share
  static constexpr uint32_t kWithoutTime = 15;
  static constexpr int kWords = sizeof(LogEntry) / 8;

  // An entry as it is written and read at the same time.
  struct alignas(64) Slot {
    std::atomic<uint64_t> words[kWords];
  };
  struct alignas(64) Ring {
    // Written by one thread at a time: entries whose writing began, and ended, so far.
    std::atomic<uint64_t> begun{0}, ended{0};
    std::atomic<Slot*> slots{nullptr};  // owned
    uint32_t beat = 0;                  // at the last one with a time
    uint32_t without_time = 0;          // since then
    SpinLock lock;                      // of the shared one
    // Read by one thread at a time.
    alignas(64) uint64_t taken = 0;  // ... or overwritten
    uint64_t overwritten = 0;
    int64_t last_counter = 0;  // of the last one with a time
  };
  struct Moment {
    int64_t counter;
    int64_t ns;
  };

  int64_t Counter() const;
  Moment Now() const;
  void Put(LogEntry::Kind kind, Epoch epoch, Epoch behind, Epoch behind_too, const CallInfo* call,
           uintptr_t queue, SiteId site, SiteId queue_site, bool in_order);
  void PutIn(Ring& ring, LogEntry::Kind kind, Epoch epoch, Epoch behind, Epoch behind_too,
             const CallInfo* call, uintptr_t queue, uint64_t sites, bool in_order);
  void MakeSlots(Ring& ring);
  // All of `behind`, in as many entries as it takes; the first is of that kind.
  void PutAll(LogEntry::Kind kind, Epoch epoch, const Clock& behind, const CallInfo* call,
              uintptr_t queue, SiteId site, SiteId queue_site, bool in_order);
  void TakeFrom(Ring& ring, const Moment& now, std::vector<LogEntry>* entries);

  const bool even_counter_;  // the processor's counter runs evenly whatever the processor does
  const uint64_t capacity_;  // a power of two
  const Moment begin_;
  Ring rings_[kOwnRings + 1];
  std::atomic<uint32_t> beat_{0};  // 0: each entry has a time
  SpinLock taking_;
  int beats_left_ = 0;
  uint64_t logged_ = 0;  // when beats were last judged
};

}  // namespace gpusan
