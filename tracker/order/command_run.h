// Run-length compression of repeated commands in the command log.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracker/model/clock.h"
#include "tracker/model/ids.h"

namespace gpusan {

struct CallInfo;

// The entry point and the call site of a command.
struct CommandStep {
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;

  bool operator==(const CommandStep&) const = default;
};

// The current run of an in-order queue: one (entry point, call site) pair repeated, or a cycle of
// up to four of them. The host may wait for a command of the cycle before the next one is enqueued.
// Guarded by the queue's lock, except for NoteWait(). Part of the command log (command_log.h).
class CommandRun {
 public:
  static constexpr uint32_t kMost = 4;  // maximum number of steps in the cycle

  CommandRun() = default;
  CommandRun(const CommandRun&) = delete;
  CommandRun& operator=(const CommandRun&) = delete;

  // Adds the command to the run if it is the next one of the cycle. A command of a run needs no
  // other work in the log. Requires that its tick follows the tick of the previous command. Returns
  // false, without side effects, if the command is not the next one.
  bool GoesOn(const CallInfo& call, SiteId site) {
    const Step& step = *next_;
    if (step.call != KeyOf(&call) || step.site != site ||
        ends_ != now_->load(std::memory_order_relaxed))
      return false;
    next_ = step.then;
    return true;
  }
  // Like GoesOn(), for a step before or after which the host waits; GoesOn() rejects these steps.
  bool GoesOnAwaited(const CallInfo& call, SiteId site, Epoch epoch);

  // Records that the host waits for the command `epoch`. Returns true if the run includes the wait:
  // the run expects it, and no other command was enqueued meanwhile. May lose a wait that occurs at
  // the same time as an enqueue. Thread-safe, takes no lock.
  bool NoteWait(Epoch epoch) {
    const Epoch expected = expected_.load(std::memory_order_relaxed);
    if (expected.valid() && !(expected == epoch)) return false;
    awaited_.store(epoch, std::memory_order_relaxed);
    return expected.valid();
  }

  // Starts a run with the command, together with the previous commands that form a cycle with it if
  // the cycle may continue. The run must end when `*ends` changes. Requires that End() was called
  // before.
  void Begin(Epoch epoch, const CallInfo& call, SiteId site, const std::atomic<uint32_t>* ends);
  // Ends the run. The command at `tick`, if any, is not part of it. Returns the length of the run;
  // 0: there was no run. `*awaited`: the run includes a wait for its last command.
  uint64_t End(uint64_t tick, bool* awaited);
  // Resets the run for another queue.
  void Forget();

  uint64_t first() const { return first_; }  // tick of the first command; 0: no run
  uint32_t cycle() const { return cycle_; }  // number of steps in the cycle
  CommandStep step(uint32_t index) const {
    return {reinterpret_cast<const CallInfo*>(steps_[index].call & ~kAwaited), steps_[index].site};
  }
  // One bit per step: the host waits for each command of the step before the next one is enqueued.
  uint32_t waits() const {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < cycle_; ++i) bits |= steps_[i].then->after_wait ? 1u << i : 0u;
    return bits;
  }

  bool listed = false;  // set by the command log

 private:
  // Flag in Step::call: the host waits before or after the step. Only GoesOnAwaited() accepts the
  // step.
  static constexpr uintptr_t kAwaited = 1;

  struct Step {
    uintptr_t call = 0;
    const Step* then = nullptr;  // the next step of the cycle
    SiteId site = kUnknownSite;
    bool after_wait = false;
  };
  struct Past {
    uintptr_t call = 0;  // with kAwaited if the host waited before it; 0: unknown
    SiteId site = kUnknownSite;

    bool operator==(const Past&) const = default;
  };
  static constexpr uint32_t kPast = kMost + 1;

  // Returns true if the known last commands form a cycle of `cycle` steps and `now` is its next
  // command.
  bool ContinuesCycle(const Past& now, uint32_t cycle) const {
    if (last_[cycle - 1] != now) return false;
    // One different command among repetitions of one step is not a cycle of two.
    return cycle == 1 || last_[cycle].call == 0 || last_[cycle] == last_[0];
  }

  static uintptr_t KeyOf(const CallInfo* call) { return reinterpret_cast<uintptr_t>(call); }

  // The members that every command reads are adjacent.
  const Step* next_ = &steps_[kMost];
  const std::atomic<uint32_t>* now_ = nullptr;
  uint32_t ends_ = 0;
  uint32_t cycle_ = 1;
  Step steps_[kMost + 1];  // the last step stays empty: no command matches it
  uint64_t first_ = 0;
  bool first_after_wait_ = false;
  // The last command if the run expects a wait for it; and the command of the last wait.
  std::atomic<Epoch> expected_{Epoch()}, awaited_{Epoch()};
  Past last_[kPast];  // commands before the run, newest first
};

}  // namespace gpusan
