// What commands did lately to a resource of an API that orders by scopes (Vulkan), part by part,
// and which two of them no chain of barriers orders.
#pragma once

#include <cstdint>

#include "tracker/base/compact_vector.h"
#include "tracker/model/clock.h"
#include "tracker/model/region.h"
#include "tracker/scopes/scope.h"
#include "tracker/scopes/submission_order.h"

namespace gpusan {

// Some subresources of an image, or a box of texels of one.
struct ImagePart {
  uint32_t aspects = 0;  // bits, the caller's
  uint32_t first_mip = 0, mips = 1;
  uint32_t first_layer = 0, layers = 1;
  // Of a single mip level; an extent of 0: all of the subresources.
  uint32_t origin[3] = {0, 0, 0};
  uint32_t extent[3] = {0, 0, 0};

  bool whole() const { return extent[0] == 0; }
};
bool Overlaps(const ImagePart& a, const ImagePart& b);
// True only if all of `inner` is certainly in `outer`.
bool Contains(const ImagePart& outer, const ImagePart& inner);

// Bytes of a buffer, or a part of an image.
struct Extent {
  bool is_image = false;
  union {
    Region region;
    ImagePart part;
  };

  Extent() : region() {}
  Extent(const Region& bytes) : region(bytes) {}
  Extent(const ImagePart& subresources) : is_image(true), part(subresources) {}
};
inline bool Overlaps(const Extent& a, const Extent& b) {
  return a.is_image ? Overlaps(a.part, b.part) : Overlaps(a.region, b.region);
}
inline bool Contains(const Extent& outer, const Extent& inner) {
  return outer.is_image ? Contains(outer.part, inner.part) : Contains(outer.region, inner.region);
}

// One access of one command.
struct ScopedAccess {
  Extent extent;
  Epoch epoch;  // of its submission
  Position position = 0;
  uint64_t stage = 0;  // one bit, or all that the access may happen in
  uint64_t access = 0;
  bool write = false;
  bool transition = false;  // a barrier's own, which changes the layout or the owner
  bool shader = false;      // by a shader: which bytes of the extent, and whether, cannot be seen
  uint8_t subpass = 0;      // of that
  uint32_t pass = 0;        // the render pass instance that it is in; 0: none
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  LabelId label = kNoLabel;
};

struct ScopedConflict {
  Hazard kind = Hazard::kNone;
  const ScopedAccess* earlier = nullptr;
  const ScopedAccess* later = nullptr;
  Reach reach;               // of the earlier one, for the later one
  bool other_queue = false;  // and no semaphore orders the two
  bool unordered = false;    // no chain of barriers leads to the stage of the later one
};

// Where the access that comes next stands.
struct ScopedPlace {
  const SubmissionOrder& order;  // of its queue
  const Clock& before;           // what the submission waits for
  const HostClock& host;
};

// Not thread-safe; the owner locks. At most kMaxAccesses, then the oldest goes.
class ScopedHistory {
 public:
  static constexpr size_t kMaxAccesses = 48;

  // Judges the access against what is kept, then keeps it. Calls visit(const ScopedConflict&).
  // Returns how many accesses were dropped although they still mattered.
  template <typename Visitor>
  int Use(const ScopedAccess& access, const ScopedPlace& place, Visitor visit) {
    for (size_t i = 0; i < entries_.size();) {
      Entry& entry = entries_[i];
      if (place.host.Completed(entry.access.epoch)) {
        Erase(i);
        continue;
      }
      if (SameCommand(entry.access, access) || !Overlaps(entry.access.extent, access.extent)) {
        ++i;
        continue;
      }
      if (entry.access.write || access.write) {
        const ScopedConflict conflict = Judge(entry, access, place);
        if (conflict.kind != Hazard::kNone) visit(conflict);
      }
      if (Replaces(access, i)) {
        Erase(i);
      } else {
        ++i;
      }
    }
    return Keep(access, Reach());
  }

  // A barrier whose memory scopes name the resource itself, which the queue's order does not know
  // of. `limit`: what comes behind that position of its queue is not in its first scope, which is
  // so for waits for an event.
  void Apply(const ScopeBarrier& barrier, const Extent& extent, TimelineId timeline,
             const ScopedPlace& place, Position limit = ~Position{0});
  // A barrier that also writes the resource, to change its layout or owner, between its scopes.
  template <typename Visitor>
  int Transition(const ScopeBarrier& barrier, const ScopedAccess& transition,
                 const ScopedPlace& place, Visitor visit, Position limit = ~Position{0}) {
    for (size_t i = 0; i < entries_.size();) {
      Entry& entry = entries_[i];
      if (place.host.Completed(entry.access.epoch)) {
        Erase(i);
        continue;
      }
      if (SameCommand(entry.access, transition) ||
          !Overlaps(entry.access.extent, transition.extent)) {
        ++i;
        continue;
      }
      const ScopedConflict conflict = JudgeTransition(entry, barrier, transition, place, limit);
      if (conflict.kind != Hazard::kNone) visit(conflict);
      if (Replaces(transition, i)) {
        Erase(i);
      } else {
        ++i;
      }
    }
    Reach reach;
    reach.chain = barrier.target_order;
    reach.available = true;
    reach.visible_stages = barrier.target_stages;
    reach.visible_access = barrier.target_access;
    return Keep(transition, reach);
  }

  // An access that nothing before it is judged against.
  int Note(const ScopedAccess& access) { return Keep(access, Reach()); }
  // An access that is judged, and not kept. The same visits.
  template <typename Visitor>
  void Look(const ScopedAccess& access, const ScopedPlace& place, Visitor visit) {
    for (size_t i = 0; i < entries_.size(); ++i) {
      Entry& entry = entries_[i];
      if (place.host.Completed(entry.access.epoch) ||
          !Overlaps(entry.access.extent, access.extent) || (!entry.access.write && !access.write))
        continue;
      const ScopedConflict conflict = Judge(entry, access, place);
      if (conflict.kind != Hazard::kNone) visit(conflict);
    }
  }

  // An access to another resource that has some of the same memory: judged, and not kept.
  // `overlap(const Extent&)`: how surely it touches what was accessed here. `transition`: of a
  // barrier that writes the other resource; or nullptr.
  enum class Overlap : uint8_t { kUnknown, kSome, kAll };
  template <typename Overlaps, typename Visitor>
  void UseAlias(ScopedAccess access, const ScopeBarrier* transition, const ScopedPlace& place,
                Overlaps overlap, Visitor visit) {
    for (size_t i = 0; i < entries_.size();) {
      Entry& entry = entries_[i];
      if (place.host.Completed(entry.access.epoch)) {
        Erase(i);
        continue;
      }
      const Overlap shared = overlap(entry.access.extent);
      if (shared == Overlap::kUnknown || SameCommand(entry.access, access) ||
          (!entry.access.write && !access.write)) {
        ++i;
        continue;
      }
      access.extent = entry.access.extent;
      const ScopedConflict conflict =
          transition != nullptr ? JudgeTransition(entry, *transition, access, place, ~Position{0})
                                : Judge(entry, access, place);
      if (conflict.kind != Hazard::kNone) visit(conflict);
      // What is written over is behind it, or has been reported.
      if (shared == Overlap::kAll && access.write) {
        Erase(i);
      } else {
        ++i;
      }
    }
  }
  // A barrier of another resource that has some of the same memory.
  void ApplyToAll(const ScopeBarrier& barrier, TimelineId timeline, const ScopedPlace& place);

  // The last access that is not known to be complete, nullptr if there is none.
  const ScopedAccess* FindPending(const Extent* extent, bool writes_only,
                                  const HostClock& host) const;
  bool empty() const { return entries_.empty(); }
  void Clear() { entries_.clear(); }

 private:
  struct Entry {
    ScopedAccess access;
    Position applied = 0;  // steps of its own queue up to here are in `reach`
    Reach reach;
  };

  // A command's own accesses are not in each other's way. Positions are those of a queue.
  static bool SameCommand(const ScopedAccess& a, const ScopedAccess& b) {
    return a.position == b.position && a.epoch.timeline() == b.epoch.timeline();
  }
  // How far `entry` reaches for what comes next at `place`, on the queue of `timeline`; false: it
  // is too old to tell.
  static bool ReachFor(Entry& entry, TimelineId timeline, const ScopedPlace& place, Reach* reach);
  ScopedConflict Judge(Entry& entry, const ScopedAccess& later, const ScopedPlace& place);
  ScopedConflict JudgeTransition(Entry& entry, const ScopeBarrier& barrier,
                                 const ScopedAccess& transition, const ScopedPlace& place,
                                 Position limit);
  // A read of both since then is behind the write, and in front of what comes.
  bool ReadBetween(const ScopedAccess& write, const ScopedAccess& later) const;
  // `access` stands for what it covers of that entry. True: the entry is not needed any more; what
  // is not covered of it was added behind, or is what it is now.
  bool Replaces(const ScopedAccess& access, size_t index);
  // Leaves of that entry what is in `extent`, which has a part of it; the rest becomes entries of
  // their own. Where that cannot be, or there are too many, nothing happens.
  void SplitOff(const Extent& extent, size_t index);
  // What `covered` leaves of that part of an image is added as entries like `like`. Both are whole.
  void KeepRest(const Entry& like, const ImagePart& covered);
  int Keep(const ScopedAccess& access, const Reach& reach);
  void Erase(size_t i) { entries_.erase(i); }

  CompactVector<Entry> entries_;  // in the order of their coming
};

}  // namespace gpusan
