// The last commands of the process, what they were ordered behind, and what the host waited for:
// for people who want to see them on a time axis. Nothing is judged by it.
//
// Thread-safe. Kept in rings of plain entries, one of a few shards a thread; logging costs a time
// stamp, a lock that is nearly always free and the write of a cache line. What a ring has no room
// for is overwritten, oldest first, and counted.
#pragma once

#include <cstdint>
#include <memory>
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
  int64_t time = 0;  // ns since 1970 once taken, good to about a microsecond; before that a counter
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
  CommandLog(const CommandLog&) = delete;
  CommandLog& operator=(const CommandLog&) = delete;

  void Command(const struct Queue& queue, Epoch epoch, const CallInfo& call, SiteId site,
               const Clock& behind);
  void Order(Epoch first, const Clock& behind);
  void HostWait(Epoch epoch);
  void Failed(Epoch epoch);

  // What was logged since the last time, in the order of time.
  std::vector<LogEntry> Take();

  // Entries that were overwritten before they were taken.
  uint64_t overwritten();

 private:
  static constexpr size_t kShards = 8;
  struct alignas(64) Shard {
    SpinLock lock;
    uint64_t next = 0;   // entries ever written
    uint64_t taken = 0;  // ... and taken or overwritten
    uint64_t overwritten = 0;
    std::unique_ptr<LogEntry[]> ring;
  };
  struct Moment {
    int64_t counter;
    int64_t ns;
  };

  int64_t Counter() const;
  Moment Now() const;
  void Add(const LogEntry& entry);
  void AddBehind(const Clock& behind, LogEntry* entry);

  const bool even_counter_;  // the processor's counter runs evenly whatever the processor does
  const uint64_t capacity_;  // a power of two
  const Moment begin_;
  Shard shards_[kShards];
};

}  // namespace gpusan
