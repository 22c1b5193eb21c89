// The last commands of the process, what they were ordered behind, and what the host waited for:
// for people who want to see them on a time axis. Nothing is judged by it.
//
// Thread-safe. Kept in rings of plain entries: the first threads of a process have one of their
// own, which only they write, the others share one. Logging costs a few plain stores and a time
// stamp. While very many commands come, those of an in-order queue that repeat what came before
// them, one call and place or up to four in turn, with waits of the host in between or without, are
// one entry with their number (command_run.h): it costs three comparisons then. What a ring has no
// room for is overwritten, oldest first, and counted.
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
    kCommand,   // `epoch` was enqueued; `behind`: what its wait list named. A run of `count`:
                // `epoch` is the first, each of the others is the next tick, and their places come
                // in turn
    kOrder,     // everything of the timeline from `epoch` on is behind `behind`
    kHostWait,  // the host knows `behind` to be complete
    kFailed,    // the call that enqueued `epoch` failed: there is no such command
  };
  int64_t time = 0;  // ns since 1970, good to about a microsecond; with Beat() see there
  Epoch epoch;
  Epoch behind[2];
  CommandPlace places[CommandRun::kMost];  // of commands: `turn` of them, in this order
  uintptr_t queue = 0;                     // its handle; of commands
  SiteId queue_site = kUnknownSite;        // of its creation
  Kind kind = kCommand;
  bool in_order = false;
  uint8_t turn = 1;
  uint8_t waits = 0;   // of runs, a bit a place: the host waits for it before the next one comes
  uint64_t count = 1;  // of commands, all places together
  int64_t until = 0;   // of runs: the last of them was about then, or up to a beat earlier
};

class CommandLog {
 public:
  // Keeps at least the last `capacity` entries of each thread until they are taken.
  explicit CommandLog(uint64_t capacity);
  ~CommandLog();
  CommandLog(const CommandLog&) = delete;
  CommandLog& operator=(const CommandLog&) = delete;

  // The command is the last of the queue, whose lock is held from before it got its tick. Nothing
  // is logged of a queue that is `unlogged`.
  void Command(Queue& queue, Epoch epoch, const CallInfo& call, SiteId site) {
    if (!queue.run.GoesOn(call, site)) Begin(queue, epoch, call, site);
  }
  void Command(Queue& queue, Epoch epoch, const CallInfo& call, SiteId site, const Clock& behind);
  // Of a command of the queue, on a timeline of its own: a lane of the queue for those who look.
  void Part(const Queue& queue, Epoch epoch, const CallInfo& call, SiteId site,
            const Clock& behind);
  void Order(Epoch first, const Clock& behind);
  void HostWait(Epoch epoch);
  void Failed(Epoch epoch);
  // The queue has no more commands; what it was may become another one. Without its lock.
  void Forget(Queue& queue);

  // What was logged since the last time, in the order of time. Takes the locks of queues, which
  // must be there still, or be slab objects. A few commands that threads enqueue meanwhile may be
  // left for the next time, though what comes behind them is not.
  std::vector<LogEntry> Take();

  // Ends all runs. What is enqueued until the next one begins counts with them.
  void Interrupt();

  // Commands and other entries that were overwritten before they were taken, as of the last Take();
  // to be relied upon when nothing was logged while it ran.
  uint64_t overwritten();

  // Reading the time, and the memory that an entry takes, are most of what a command costs. To be
  // called again and again by one thread, each time after Pause() with what it returned the last
  // time: while the process logs more than a hundred thousand commands a second, or a thread logs
  // 64 commands as fast as that, and for some 20 ms after,
  // - there are runs, which end with each call of this;
  // - a thread reads the time for one entry of 16, for the first after each call of this, and for
  // all that
  //   are no commands. The others get times in between, which are then good to kBeatNs, or to what
  //   passes between two calls.
  // A beat is that long because it takes the processor from a thread that enqueues, where there is
  // one.
  int64_t Beat();
  // Sleeps for as long, or until a thread begins to log so many.
  void Pause(int64_t ns);
  static constexpr int64_t kBeatNs = 4'000'000;

  // What the clock counts now; cheap.
  int64_t Counter() const;
  // What this thread logs from now on happened at that count; 0: when it is logged.
  void ActAt(int64_t counter);

 private:
  static constexpr size_t kOwnRings = 16;  // of threads; behind them the one that the others share
  static constexpr size_t kEnds = 64;
  static constexpr uint32_t kWithoutTime = 15;
  static constexpr uint32_t kWindow = 64;        // entries
  static constexpr int64_t kWindowNs = 640'000;  // of as many, where many come
  static constexpr int kWords = 8;

  // An entry as it is written and read at the same time.
  struct alignas(64) Slot {
    std::atomic<uint64_t> words[kWords];
  };
  struct alignas(64) Ring {
    // Written by one thread at a time. Entries whose writing began, and ended, so far; and how many
    // that is when each command counts, as far as it is known yet of runs.
    std::atomic<uint64_t> begun{0}, ended{0}, units{0};
    std::atomic<Slot*> slots{nullptr};  // owned
    uint32_t time_beat = 0;             // at the last one with a time
    uint32_t without_time = 0;          // since then
    uint32_t in_window = 0;
    int64_t window_begin = 0;  // of the counter
    int64_t acts_at = 0;       // of the counter; 0: now
    // Read by one thread at a time.
    alignas(64) uint64_t taken = 0;  // entries
    int64_t last_counter = 0;        // of the last one with a time
    SpinLock lock;                   // of the shared one
  };
  struct Moment {
    int64_t counter;
    int64_t ns;
  };
  // What an entry says beside its kind.
  static constexpr uint64_t kInOrder = 1 << 8;
  static constexpr uint64_t kOpen = 1
                                    << 9;  // a run: how long it was, the next of its timeline says
  static constexpr uint64_t kMore = 1 << 10;           // its places go on in the next slot
  static constexpr uint64_t kPlaces = 1 << 11;         // such a slot; no entry of its own
  static constexpr uint64_t kBeforeAwaited = 1 << 15;  // the run that it ended took up a last wait
  static constexpr int kWaitsShift = 4, kTurnShift = 12, kBeforeShift = 16;
  struct Raw {
    LogEntry entry;
    bool open = false;
    bool awaited = false;  // its last command, and no entry says so
  };
  using RunKey = std::pair<TimelineId, uint64_t>;  // and the tick of its first
  // How the run that an entry ends went.
  struct Ended {
    uint64_t ticks = 0;
    bool awaited = false;
  };
  // Of timelines.
  struct Ends {
    // Grows when their runs end, whatever comes next.
    std::atomic<uint32_t> count{0};
    std::atomic<CommandRun*> run{nullptr};  // that began last
  };

  Ends& EndsOf(Epoch epoch) { return ends_[epoch.timeline() % kEnds]; }
  static Ended EndRun(Queue& queue, uint64_t tick);
  void Begin(Queue& queue, Epoch epoch, const CallInfo& call, SiteId site);
  Moment Now() const;
  void Put(const LogEntry& entry, uint64_t flags, const Ended& before);
  void PutIn(Ring& ring, const LogEntry& entry, uint64_t flags, const Ended& before);
  void MakeSlots(Ring& ring);
  void JudgeWindow(Ring& ring, int64_t now);
  // All of `behind`, in as many entries as it takes; the first is this one.
  void PutAll(LogEntry entry, const Ended& before, const Clock& behind);
  // Returns how many were ever logged in it, as `units`.
  uint64_t TakeFrom(Ring& ring, std::vector<Raw>* entries);
  void EndRuns();
  // Of those of the ring that were read without one.
  void GiveTimes(Ring& ring, const Moment& now, Raw* first, Raw* end);
  int64_t LongestBeat(const Moment& now) const;  // of the counter

  const bool even_counter_;  // the processor's counter runs evenly whatever the processor does
  const uint64_t capacity_;  // a power of two
  const Moment begin_;
  alignas(64) std::atomic<uint32_t> beat_{
      0};                                 // of this moment; 0: no runs, and each entry has a time
  std::atomic<int64_t> window_ticks_{0};  // kWindowNs of the counter, once that is known
  std::atomic<uint32_t> burst_{0};        // 1: begins; a futex
  Ends ends_[kEnds];
  Ring rings_[kOwnRings + 1];
  SpinLock running_lock_;
  std::vector<Queue*> running_;           // may have a run
  std::atomic<uint64_t> ended_units_{0};  // of runs that ended without a next entry
  std::map<RunKey, Ended> forgotten_;     // runs of queues that are gone; under running_lock_
  SpinLock taking_;
  struct Length {
    Ended ended;
    uint64_t take;  // at which it was learnt
  };
  std::map<RunKey, Length> lengths_;  // of runs whose entries were not read yet
  std::vector<Raw> pending_;          // runs whose length was not read yet
  uint64_t takes_ = 0, taken_units_ = 0, overwritten_ = 0;
  uint32_t last_beat_ = 0;
  int beats_left_ = 0;
  uint64_t logged_ = 0;  // when beats were last judged
};

}  // namespace gpusan
