// The most recent commands of the process, their order, and the waits of the host, for display on a
// time axis. No check uses the log.
//
// The entries are in ring buffers. Each of the first threads of a process has a ring that only this
// thread writes; all other threads share one ring. Logging costs a few relaxed stores and a time
// stamp. At high command rates, repeated commands of an in-order queue are one entry with a count,
// a run (command_run.h): one call site, or up to four call sites in a cycle, with or without host
// waits in between. Each further command of a run costs three comparisons. A full ring overwrites
// its oldest entries and counts them. Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "tracker/base/slab.h"
#include "tracker/base/spin_lock.h"
#include "tracker/model/call_info.h"
#include "tracker/model/clock.h"
#include "tracker/model/ids.h"
#include "tracker/objects/queue.h"
#include "tracker/order/command_run.h"

namespace gpusan {

struct LogEntry {
  enum Kind : uint8_t {
    // `epoch` was enqueued, ordered after `behind`, the epochs of its wait list. In a run of
    // `count` commands, `epoch` is the first command, each further command has the next tick, and
    // the commands cycle through `steps`.
    kCommand,
    kOrder,     // all commands of the timeline from `epoch` on are ordered after `behind`
    kHostWait,  // the host has waited for `behind`: it is complete
    kFailed,    // the call that enqueued `epoch` failed: the command does not exist
  };
  int64_t time = 0;  // [ns since 1970], accurate to about 1 us; less accurate with Beat()
  Epoch epoch;
  Epoch behind[2];
  CommandStep steps[CommandRun::kMost];  // commands: the first `cycle` steps are valid
  uintptr_t queue = 0;                   // commands: handle of the queue
  SiteId queue_site = kUnknownSite;      // creation site of the queue
  Kind kind = kCommand;
  bool in_order = false;
  uint8_t cycle = 1;
  uint8_t waits = 0;   // runs: bit i: the host waits for a command of steps[i] before the next one
  uint64_t count = 1;  // commands, in all steps together
  int64_t until = 0;   // runs: latest time of the last command; it may be up to one beat earlier
};

class CommandLog {
 public:
  // Stores at least the last `capacity` entries of each thread until Take() returns them.
  explicit CommandLog(uint64_t capacity);
  ~CommandLog();
  CommandLog(const CommandLog&) = delete;
  CommandLog& operator=(const CommandLog&) = delete;

  // Logs the last command of the queue. Ignores queues that are `unlogged`. Requires: the caller
  // has held queue.lock since before the command got its tick.
  void Command(Queue& queue, Epoch epoch, const CallInfo& call, SiteId site) {
    if (!queue.run.GoesOn(call, site)) Begin(queue, epoch, call, site);
  }
  void Command(Queue& queue, Epoch epoch, const CallInfo& call, SiteId site, const Clock& behind);
  // Logs a part of a command of the queue. The part has its own timeline, which readers display as
  // a lane of the queue.
  void Part(const Queue& queue, Epoch epoch, const CallInfo& call, SiteId site,
            const Clock& behind);
  void Order(Epoch first, const Clock& behind);
  void HostWait(Epoch epoch);
  void Failed(Epoch epoch);
  // Ends the run of a queue that gets no more commands. Its storage may become another queue.
  // Requires: the caller does not hold queue.lock.
  void Forget(Queue& queue);

  // Returns the entries that were logged since the last call, in the order of time. Takes the locks
  // of queues: they must still exist or be slab objects. Commands that threads enqueue during the
  // call may be left for the next call, even if later commands are returned.
  std::vector<LogEntry> Take();

  // Ends all runs. Commands that are enqueued before the next run begins still count for the old
  // runs.
  void Interrupt();

  // Returns the number of commands and other entries that were overwritten before Take() returned
  // them, as of the last Take(). Exact only if no thread logged during that Take().
  uint64_t overwritten();

  // Reduces the cost of logging at high rates: most of the cost of a command is reading the time
  // and the memory of its entry. One thread calls Beat() in a loop, and passes each result to
  // Pause() before the next call. Returns the time until the next call [ns].
  //
  // Beats are active while the process logs more than 100,000 commands a second, or a thread logs
  // 64 commands at that rate, and for about 20 ms afterwards. While they are active:
  // - The log forms runs. Each call of Beat() ends them.
  // - A thread reads the time for one of 16 commands, for its first entry after each call, and for
  //   every entry that is not a command. Other entries get interpolated times, accurate to kBeatNs
  //   or to the time between two calls, whichever is longer.
  //
  // A beat is that long because it may preempt a thread that enqueues commands.
  int64_t Beat();
  // Sleeps for `ns`, or until a thread begins to log at the rate that activates beats.
  void Pause(int64_t ns);
  static constexpr int64_t kBeatNs = 4'000'000;

  // Returns the current value of the time counter [counter ticks]. Cheap.
  int64_t Counter() const;
  // Sets the time [counter ticks] of everything that this thread logs from now on. 0: the time of
  // logging.
  void ActAt(int64_t counter);

 private:
  static constexpr size_t kOwnRings = 16;  // rings of one thread each; the shared ring follows
  static constexpr size_t kEnds = 64;
  static constexpr uint32_t kWithoutTime = 15;
  static constexpr uint32_t kWindow = 64;        // [entries]
  static constexpr int64_t kWindowNs = 640'000;  // a faster window activates beats
  static constexpr int kWords = 8;

  // An entry in a form that threads may write and read concurrently.
  struct alignas(64) Slot {
    std::atomic<uint64_t> words[kWords];
  };
  struct alignas(64) Ring {
    // One thread at a time writes these fields. `begun` and `ended` count the slots whose writing
    // began and ended. `units` counts each command of a run, once the length of the run is known.
    std::atomic<uint64_t> begun{0}, ended{0}, units{0};
    std::atomic<Slot*> slots{nullptr};  // owned
    uint32_t time_beat = 0;             // beat of the last entry with a time
    uint32_t without_time = 0;          // entries since then
    uint32_t in_window = 0;
    int64_t window_begin = 0;  // [counter ticks]
    int64_t acts_at = 0;       // [counter ticks]; 0: the time of logging
    // One thread at a time uses these fields to read the ring.
    alignas(64) uint64_t taken = 0;  // [slots]
    int64_t last_counter = 0;        // time of the last entry with a time [counter ticks]
    SpinLock lock;                   // only for the shared ring
  };
  struct Moment {
    int64_t counter;
    int64_t ns;
  };
  // Flags of an entry, beside its kind.
  static constexpr uint64_t kInOrder = 1 << 8;
  // A run. The next entry of its timeline holds its length.
  static constexpr uint64_t kOpen = 1 << 9;
  static constexpr uint64_t kMore = 1 << 10;   // `steps` continue in the next slot
  static constexpr uint64_t kSteps = 1 << 11;  // this slot continues `steps`; it is no entry
  // The run that this entry ended includes a host wait for its last command.
  static constexpr uint64_t kBeforeAwaited = 1 << 15;
  static constexpr int kWaitsShift = 4, kCycleShift = 12, kBeforeShift = 16;
  struct Raw {
    LogEntry entry;
    bool open = false;
    bool awaited = false;  // the host waited for the last command, and no entry records the wait
  };
  using RunKey = std::pair<TimelineId, uint64_t>;  // timeline and tick of the first command
  // The run that an entry ends.
  struct Ended {
    uint64_t ticks = 0;
    bool awaited = false;
  };
  // State of the timelines that share a hash bucket.
  struct Ends {
    // Each increment ends the runs of these timelines.
    std::atomic<uint32_t> count{0};
    std::atomic<CommandRun*> run{nullptr};  // the run that began last
  };

  Ends& EndsOf(Epoch epoch) { return ends_[epoch.timeline() % kEnds]; }
  static Ended EndRun(Queue& queue, uint64_t tick);
  void Begin(Queue& queue, Epoch epoch, const CallInfo& call, SiteId site);
  Moment Now() const;
  void Put(const LogEntry& entry, uint64_t flags, const Ended& before);
  void PutIn(Ring& ring, const LogEntry& entry, uint64_t flags, const Ended& before);
  void MakeSlots(Ring& ring);
  void CheckWindow(Ring& ring, int64_t now);
  // Logs `entry` with all epochs of `behind`. Adds kOrder entries for the epochs that do not fit.
  void PutAll(LogEntry entry, const Ended& before, const Clock& behind);
  // Appends the unread entries of the ring to `entries`. Returns ring.units.
  uint64_t TakeFrom(Ring& ring, std::vector<Raw>* entries);
  // Ends all runs and adds their lengths to `lengths_`.
  void EndRuns();
  // Interpolates the times of the entries of the ring that have none.
  void GiveTimes(Ring& ring, const Moment& now, Raw* first, Raw* end);
  int64_t LongestBeat(const Moment& now) const;  // [counter ticks]

  const bool even_counter_;  // the processor's counter has a constant rate in all power states
  const uint64_t capacity_;  // a power of two
  const Moment begin_;
  // The current beat. 0: beats are not active, so there are no runs and each entry has a time.
  alignas(64) std::atomic<uint32_t> beat_{0};
  std::atomic<int64_t> window_ticks_{0};  // kWindowNs in counter ticks; 0 until it is known
  std::atomic<uint32_t> burst_{0};        // futex; 1: a thread began to log at a high rate
  Ends ends_[kEnds];
  Ring rings_[kOwnRings + 1];
  SpinLock running_lock_;
  std::vector<Queue*> running_;           // queues that may have a run; under running_lock_
  std::atomic<uint64_t> ended_units_{0};  // commands of runs that ended without a next entry
  std::map<RunKey, Ended> forgotten_;     // runs of released queues; under running_lock_
  SpinLock taking_;
  struct Length {
    Ended ended;
    uint64_t take;  // the Take() that found the length
  };
  std::map<RunKey, Length> lengths_;  // runs whose entries were not read yet
  std::vector<Raw> pending_;          // runs whose lengths were not read yet
  uint64_t takes_ = 0, taken_units_ = 0, overwritten_ = 0;
  uint32_t last_beat_ = 0;
  int beats_left_ = 0;
  uint64_t logged_ = 0;  // commands logged at the last Beat() that computed the rate
};

}  // namespace gpusan
