// Order within one queue whose commands only barriers order (Vulkan): what its barriers and
// semaphore waits did, in submission order.
//
// Stages and kinds of access are bits of 64-bit masks whose meaning is the caller's (scope.h). A
// barrier orders every earlier access of the queue, so that it is not applied to resources one by
// one: it is kept here, and an access catches up when it is looked at (scoped_history.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "tracker/model/clock.h"
#include "tracker/model/ids.h"
#include "tracker/scopes/scope.h"

namespace gpusan {

struct CallInfo;

// Where a command stands in the submission order of its queue. Accesses and barriers share the
// numbers.
using Position = uint64_t;

// How far the work of an access is ordered and made visible for later commands of one queue.
struct Reach {
  uint64_t chain = 0;           // stages that are behind it
  uint64_t visible_stages = 0;  // ... and that see what it wrote, by these accesses
  uint64_t visible_access = 0;
  bool available = false;

  // `stage` and `access`: of the access itself.
  void Apply(const ScopeBarrier& barrier, uint64_t stage, uint64_t access, bool write);
  // Behind a semaphore: all of it is available, and visible to these stages.
  void Acquire(uint64_t stages);
};

// Not thread-safe: the owner locks. Bounded: what is older than the steps kept counts as ordered,
// which hides and never invents.
class SubmissionOrder {
 public:
  struct Step {
    Position at = 0;
    Position limit = 0;  // only accesses up to here; an event's wait is behind its set
    ScopeBarrier barrier;
    uint64_t stages = 0;                    // of a semaphore wait
    std::shared_ptr<const Clock> acquired;  // what the semaphore was signalled behind; or nullptr
    const CallInfo* call = nullptr;
    SiteId site = kUnknownSite;
  };

  // The place of the next command.
  Position Next() { return ++position_; }
  Position now() const { return position_; }

  // A barrier for everything before it, or for what is not behind `limit`.
  void Add(const ScopeBarrier& barrier, const CallInfo* call, SiteId site,
           Position limit = ~Position{0});
  // A wait for a semaphore: what is in `clock` happens before these stages of what comes next.
  void Acquire(const Clock& clock, uint64_t stages, const CallInfo* call, SiteId site);

  // Everything since `since` is applied to the reach of an access of this queue at `position`.
  // False: too old to tell.
  bool CatchUp(Position position, Position since, Epoch epoch, uint64_t stage, uint64_t access,
               bool write, Reach* reach) const;
  // The same for an access of another queue, from the first semaphore wait that is behind it on.
  bool CatchUpForeign(Epoch epoch, uint64_t stage, uint64_t access, bool write, Reach* reach) const;

  // The last barrier since `position` whose first scope has one of the stages, or whose second has
  // one of `later`; nullptr: there is none.
  const Step* Nearest(Position position, uint64_t stages, uint64_t later) const;

 private:
  static constexpr uint64_t kSteps = 1024;

  Step& Append(const CallInfo* call, SiteId site);
  const Step& At(uint64_t index) const { return (*steps_)[index % kSteps]; }
  uint64_t first() const { return count_ > kSteps ? count_ - kSteps : 0; }
  // The index of the first step behind `since`.
  uint64_t FirstBehind(Position since) const;

  Position position_ = 0;
  Position forgotten_ = 0;  // steps up to here are gone
  uint64_t count_ = 0;      // steps ever
  std::unique_ptr<std::array<Step, kSteps>> steps_;
};

}  // namespace gpusan
