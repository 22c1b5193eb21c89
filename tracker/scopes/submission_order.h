// The barriers and semaphore waits of one queue in submission order, for queues whose commands only
// barriers order (Vulkan).
//
// The caller defines the meaning of the stage and access bits (scope.h). A barrier may order every
// earlier access of the queue. Applying it to each resource would be expensive, so barriers are
// stored here, and an access applies them when it is next compared (scoped_history.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "tracker/model/clock.h"
#include "tracker/model/ids.h"
#include "tracker/scopes/scope.h"

namespace gpusan {

struct CallInfo;

// Position of a command in the submission order of its queue. Accesses and barriers share one
// numbering.
using Position = uint64_t;

// Returns a number for the command at a position. Commands near to it have other numbers.
constexpr uint32_t CommandAt(Position position) { return static_cast<uint32_t>(position); }

// The stages and accesses of later commands of one queue that are ordered after an access, and to
// which its write is visible.
struct Reach {
  uint64_t chain = 0;           // stages that are ordered after the access
  uint64_t visible_stages = 0;  // stages to which the write is visible, for `visible_access`
  uint64_t visible_access = 0;
  uint64_t chain_before = 0;      // `chain` before `command`
  bool available = false;         // the write is available
  bool available_before = false;  // before `command`
  // The command whose barrier was applied last; 0: none. The barriers of one command are
  // independent: none of them follows another one.
  uint32_t command = 0;

  // Applies a barrier. `stage`, `access` and `write` describe the access itself. `by`: CommandAt()
  // of the barrier's command, or 0 for a command with a single barrier.
  void Apply(const ScopeBarrier& barrier, uint64_t stage, uint64_t access, bool write,
             uint32_t by = 0);
  // Applies a semaphore wait: writes are available, and visible to all accesses in `stages`.
  void Acquire(uint64_t stages);
};

// Stores the last kSteps steps. Accesses older than the stored steps count as ordered: this misses
// hazards but causes no false positives. Not thread-safe: the owner locks.
class SubmissionOrder {
 public:
  struct Step {
    Position at = 0;
    // The barrier applies only to accesses up to this position. For an event wait, this is the
    // position of the event's set command.
    Position limit = 0;
    ScopeBarrier barrier;
    uint64_t stages = 0;                    // semaphore waits: the waiting stages
    uint64_t signaled = 0;                  // semaphore waits: as in Acquire
    bool own_signal = false;                // semaphore waits: this queue signals it
    uint32_t command = 0;                   // barriers: as in Reach
    std::shared_ptr<const Clock> acquired;  // semaphore waits: clock of the signal; else nullptr
    const CallInfo* call = nullptr;
    SiteId site = kUnknownSite;
  };

  // Assigns the position of the next command.
  Position Next() { return ++position_; }
  Position now() const { return position_; }

  // Adds a barrier that applies to all earlier accesses up to position `limit`.
  // `command`: the position of the barrier's command, if the command has several barriers.
  void Add(const ScopeBarrier& barrier, const CallInfo* call, SiteId site,
           Position limit = ~Position{0}, Position command = 0);
  // Adds a semaphore wait: the epochs of `clock` happen before `stages` of all later commands.
  // `signaled`: the stages of the signal, if this queue signals the semaphore. Accesses of this
  // queue then count only if they are in these stages or are ordered before them.
  void Acquire(const Clock& clock, uint64_t stages, const CallInfo* call, SiteId site,
               std::optional<uint64_t> signaled = std::nullopt);

  // Applies all steps after `since` to the reach of an access of this queue at `position`. Returns
  // false if steps after `since` are no longer stored.
  [[gnu::always_inline]] bool CatchUp(Position position, Position since, Epoch epoch,
                                      uint64_t stage, uint64_t access, bool write,
                                      Reach* reach) const {
    if (since < forgotten_) [[unlikely]]
      return false;
    if (count_ != 0 && At(count_ - 1).at > since)
      ApplySteps(position, since, epoch, stage, access, write, reach);
    return true;
  }
  // The same for an access of another queue, beginning with the first semaphore wait that is
  // ordered after the access.
  bool CatchUpForeign(Epoch epoch, uint64_t stage, uint64_t access, bool write, Reach* reach) const;

  // Returns the last barrier after `position` whose first scope has one of `stages` and whose
  // second scope has one of `later`, or else the last one of which either holds; nullptr if there
  // is none.
  const Step* Nearest(Position position, uint64_t stages, uint64_t later) const;
  // Whether the queue waits, after `position`, for a semaphore whose signal is ordered after the
  // command of `epoch`. Ignores the stages of the wait. `position` is 0 for a command of another
  // queue. For a command of this queue, only signals of this queue count: which of its commands
  // precede a signal of the presentation engine or of another queue may differ between two runs.
  bool WaitsFor(Epoch epoch, Position position) const;

 private:
  // CatchUp if there are steps after `since` and all of them are stored.
  void ApplySteps(Position position, Position since, Epoch epoch, uint64_t stage, uint64_t access,
                  bool write, Reach* reach) const;

  static constexpr uint64_t kSteps = 1024;

  Step& Append(const CallInfo* call, SiteId site);
  const Step& At(uint64_t index) const { return (*steps_)[index % kSteps]; }
  uint64_t first() const { return count_ > kSteps ? count_ - kSteps : 0; }
  // Returns the index of the first step after `since`.
  uint64_t FirstBehind(Position since) const;

  Position position_ = 0;
  Position forgotten_ = 0;  // position of the last overwritten step; 0: none
  uint64_t count_ = 0;      // number of steps ever added
  std::unique_ptr<std::array<Step, kSteps>> steps_;
};

}  // namespace gpusan
