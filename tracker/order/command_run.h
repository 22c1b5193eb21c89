// What the command log takes up without an entry: commands of a queue that repeat those before
// them.
#pragma once

#include <atomic>
#include <cstdint>

#include "tracker/model/clock.h"
#include "tracker/model/ids.h"

namespace gpusan {

struct CallInfo;

// Where a command comes from.
struct CommandPlace {
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;

  bool operator==(const CommandPlace&) const = default;
};

// The last commands of an in-order queue: its run, which is one call and place again and again, or
// up to four in turn, each of which the host may wait for before the next comes. Guarded by the
// queue's lock, but for NoteWait(). Belongs to the command log (command_log.h).
class CommandRun {
 public:
  static constexpr uint32_t kMost = 4;  // places in turn

  CommandRun() = default;
  CommandRun(const CommandRun&) = delete;
  CommandRun& operator=(const CommandRun&) = delete;

  // The run takes the command up, each of whose ticks is the next one: all that it costs then.
  bool GoesOn(const CallInfo& call, SiteId site) {
    const Step& step = *next_;
    if (step.call != KeyOf(&call) || step.site != site ||
        ends_ != now_->load(std::memory_order_relaxed))
      return false;
    next_ = step.then;
    return true;
  }
  // The same where the host waits in between, of which GoesOn() knows nothing.
  bool GoesOnAwaited(const CallInfo& call, SiteId site, Epoch epoch);

  // The host waits for the command. The run takes that up if it expects it and no other command was
  // enqueued meanwhile; a wait that comes just then may be lost. Without a lock.
  bool NoteWait(Epoch epoch) {
    const Epoch expected = expected_.load(std::memory_order_relaxed);
    if (expected.valid() && !(expected == epoch)) return false;
    awaited_.store(epoch, std::memory_order_relaxed);
    return expected.valid();
  }

  // A run begins with the command, with places that came in turn before if they may do so again. It
  // has to end when `ends` has another value. Behind End().
  void Begin(Epoch epoch, const CallInfo& call, SiteId site, const std::atomic<uint32_t>* ends);
  // The command at `tick`, if there is one, is no part of it. How long it was; 0: there was none.
  // `awaited`: it took up a wait for its last command.
  uint64_t End(uint64_t tick, bool* awaited);
  // The queue is another one.
  void Forget();

  uint64_t first() const { return first_; }  // its tick; 0: there is no run
  uint32_t turn() const { return turn_; }    // places
  CommandPlace place(uint32_t index) const {
    return {reinterpret_cast<const CallInfo*>(steps_[index].call & ~kAwaited), steps_[index].site};
  }
  // A bit a place: the host waits for each command of it before the next comes.
  uint32_t waits() const {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < turn_; ++i) bits |= steps_[i].then->after_wait ? 1u << i : 0u;
    return bits;
  }

  bool listed = false;  // by the log

 private:
  // Of a step that begins or ends a wait: only GoesOnAwaited() takes it.
  static constexpr uintptr_t kAwaited = 1;

  struct Step {
    uintptr_t call = 0;
    const Step* then = nullptr;  // the step behind it
    SiteId site = kUnknownSite;
    bool after_wait = false;
  };
  struct Past {
    uintptr_t call = 0;  // with kAwaited where the host waited in front of it; 0: not known
    SiteId site = kUnknownSite;

    bool operator==(const Past&) const = default;
  };
  static constexpr uint32_t kPast = kMost + 1;

  // Commands came in turn so often, as far as is known, and `now` is the next of them.
  bool ComesInTurn(const Past& now, uint32_t turn) const {
    if (last_[turn - 1] != now) return false;
    // One odd command in the middle of others of one place is no turn of two.
    return turn == 1 || last_[turn].call == 0 || last_[turn] == last_[0];
  }

  static uintptr_t KeyOf(const CallInfo* call) { return reinterpret_cast<uintptr_t>(call); }

  // What is looked at each time lies together.
  const Step* next_ = &steps_[kMost];
  const std::atomic<uint32_t>* now_ = nullptr;
  uint32_t ends_ = 0;
  uint32_t turn_ = 1;
  Step steps_[kMost + 1];  // the last stays empty: nothing goes on from there
  uint64_t first_ = 0;
  bool first_after_wait_ = false;
  // The last command, where a wait for it is expected; and what was waited for last.
  std::atomic<Epoch> expected_{Epoch()}, awaited_{Epoch()};
  Past last_[kPast];  // commands before the run, newest first
};

}  // namespace gpusan
