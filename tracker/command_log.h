// The last commands of the process, what they were ordered behind, and what the host waited for:
// for people who want to see them on a time axis. Nothing is judged by it.
//
// Thread-safe. Kept in rings of plain entries: the first threads of a process have one of their own,
// which only they write, the others share one. Logging costs a few plain stores and a time stamp. While
// very many commands come, those that a thread enqueues from one place, one behind the other, are one
// entry with their number. What a ring has no room for is overwritten, oldest first, and counted.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tracker/clock.h"
#include "tracker/ids.h"
#include "tracker/operation.h"
#include "tracker/slab.h"
#include "tracker/spin_lock.h"

namespace gpusan {

struct LogEntry {
  enum Kind : uint8_t {
    kCommand,   // `epoch` was enqueued; `behind`: what its wait list named. A run of `count` of the
                // same call and place: `epoch` is the first, each of the others is the next tick
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
  uint64_t count = 1;  // of commands
  int64_t until = 0;   // of runs: the last of them was about then, or up to a millisecond earlier
};

class CommandLog {
 public:
  // Keeps at least the last `capacity` entries of each thread until they are taken.
  explicit CommandLog(uint64_t capacity);
  ~CommandLog();
  CommandLog(const CommandLog&) = delete;
  CommandLog& operator=(const CommandLog&) = delete;

  void Command(const struct Queue& queue, Epoch epoch, const CallInfo& call, SiteId site,
               const Clock& behind);
  void Command(const struct Queue& queue, Epoch epoch, const CallInfo& call, SiteId site) {
    if (!GoesOn(epoch, call, site)) Begin(queue, epoch, call, site);
  }
  // Of a command of the queue, on a timeline of its own: a lane of the queue for those who look.
  void Part(const struct Queue& queue, Epoch epoch, const CallInfo& call, SiteId site,
            const Clock& behind);
  void Order(Epoch first, const Clock& behind);
  void HostWait(Epoch epoch);
  void Failed(Epoch epoch);

  // What was logged since the last time, in the order of time.
  std::vector<LogEntry> Take();

  // Commands and other entries that were overwritten before they were taken, as of the last Take().
  uint64_t overwritten();

  // Reading the time, and the memory that an entry takes, are most of what a command costs. To be called
  // again and again by one thread, each time after as many ns as it returned the last time: while the
  // process logs more than a hundred thousand commands a second, and only then,
  // - there are runs, which end with each call of this;
  // - a thread reads the time for one entry of 16, for the first after each call of this, and for all that
  //   are no commands. The others get times in between, which are then good to a millisecond, or to what
  //   passes between two calls.
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
    // Written by one thread at a time. Entries whose writing began, and ended, so far; and how many that
    // is when each command of a run counts.
    std::atomic<uint64_t> begun{0}, ended{0}, units{0};
    std::atomic<Slot*> slots{nullptr};  // owned
    // The run that the last entry may become: a command of this call and site while `run_beat` is
    // `beat` goes on with it if its epoch is `run_base` + units.
    uint64_t run_base = 0;
    const CallInfo* run_call = nullptr;  // nullptr: none
    SiteId run_site = kUnknownSite;
    uint32_t run_beat = 0;
    std::atomic<uint32_t> beat{0};  // of this moment; 0: each entry has a time, and there are no runs
    uint16_t time_beat = 0;         // at the last one with a time, its low bits
    uint16_t without_time = 0;      // since then
    // Read by one thread at a time.
    alignas(64) uint64_t taken = 0;  // entries; the last one may go on
    uint64_t taken_units = 0;        // ... or overwritten
    uint64_t overwritten = 0;        // units
    int64_t last_counter = 0;        // of the last one with a time
    SpinLock lock;                   // of the shared one
  };
  struct Moment {
    int64_t counter;
    int64_t ns;
  };

  // A run takes the command up: all that it costs then.
  bool GoesOn(Epoch epoch, const CallInfo& call, SiteId site) {
    const unsigned thread = ThreadShard();
    if (thread >= kOwnRings) [[unlikely]]
      return false;
    Ring& ring = rings_[thread];
    const uint64_t units = ring.units.load(std::memory_order_relaxed);
    if (ring.run_base + units != std::bit_cast<uint64_t>(epoch) || ring.run_call != &call ||
        ring.run_site != site || ring.run_beat != ring.beat.load(std::memory_order_relaxed)) {
      return false;
    }
    ring.units.store(units + 1, std::memory_order_relaxed);
    return true;
  }
  void Begin(const struct Queue& queue, Epoch epoch, const CallInfo& call, SiteId site);
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
  void TakeFrom(Ring& ring, std::vector<LogEntry>* entries);
  // Of those of the ring that were read without one.
  void GiveTimes(Ring& ring, const Moment& now, LogEntry* first, LogEntry* end);

  const bool even_counter_;  // the processor's counter runs evenly whatever the processor does
  const uint64_t capacity_;  // a power of two
  const Moment begin_;
  Ring rings_[kOwnRings + 1];
  uint32_t beat_ = 0;  // Ring::beat
  SpinLock taking_;
  int beats_left_ = 0;
  uint64_t logged_ = 0;  // when beats were last judged
};

}  // namespace gpusan
