// The recent accesses to the parts of a resource, for an API that orders accesses by scopes
// (Vulkan). Finds pairs of accesses that no chain of barriers orders.
#pragma once

#include <cstdint>

#include "tracker/base/compact_vector.h"
#include "tracker/model/clock.h"
#include "tracker/model/region.h"
#include "tracker/scopes/scope.h"
#include "tracker/scopes/submission_order.h"

namespace gpusan {

// Subresources of an image, or a box of texels of one mip level.
struct ImagePart {
  uint32_t aspects = 0;  // bits, defined by the caller
  uint32_t first_mip = 0, mips = 1;
  uint32_t first_layer = 0, layers = 1;
  // The box in a single mip level [texels]. extent[0] == 0: the complete subresources.
  uint32_t origin[3] = {0, 0, 0};
  uint32_t extent[3] = {0, 0, 0};

  bool whole() const { return extent[0] == 0; }
};
bool Overlaps(const ImagePart& a, const ImagePart& b);
// True only if `outer` certainly contains all of `inner`.
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
  Epoch epoch;  // the submission
  Position position = 0;
  uint64_t stage = 0;  // one bit, or all stages in which the access may happen
  uint64_t access = 0;
  bool write = false;
  bool transition : 1 = false;  // a barrier's access: it changes the layout or the owner
  bool shader : 1 = false;      // a shader's access: whether it happens, and its bytes, are unknown
  // Bytes that a shader certainly writes. Another access of the command covers all of the bytes
  // that the shader may write.
  bool sure_part : 1 = false;
  bool maybe : 1 = false;  // the code of the shader does not say that the access happens
  // A shader's access by the address of a buffer: without known bytes, the extent ends with the
  // buffer.
  bool by_address : 1 = false;
  // The order of accesses to attachments in `subpass` of `pass`: rasterized ones are ordered with
  // each other, and loads precede all others.
  bool rasterized : 1 = false;
  bool loads : 1 = false;
  bool rendering : 1 = false;  // `pass` is dynamic rendering
  uint8_t subpass = 0;         // in `pass`
  // Render pass instance; 0: none. The position of the layout changes at its beginning, if it has
  // some.
  uint32_t pass = 0;
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
  LabelId label = kNoLabel;
};

struct ScopedConflict {
  Hazard kind = Hazard::kNone;
  const ScopedAccess* earlier = nullptr;
  const ScopedAccess* later = nullptr;
  Reach reach;               // of `earlier`, at the position of `later`
  bool other_queue = false;  // the queues differ, and no semaphore orders the accesses
  bool unordered = false;    // no dependency chain leads from `earlier` to the stage of `later`
  bool waits = false;        // the queue of `later` waits for a semaphore after `earlier`
};

// The ordering state at the position of a new access.
struct ScopedPlace {
  const SubmissionOrder& order;  // of the queue of the access
  const Clock& before;           // clock of the submission
  const HostClock& host;
};

// The accesses to one resource. Holds at most kMaxAccesses and drops the oldest ones beyond. Not
// thread-safe: the owner locks.
class ScopedHistory {
 public:
  static constexpr size_t kMaxAccesses = 48;

  // Compares the access with the stored accesses, calls visit(const ScopedConflict&) for each
  // conflict, then stores the access. Returns the number of accesses that were dropped although
  // they were still relevant.
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
        const ScopedConflict conflict = FindConflict(entry, access, place);
        if (conflict.kind != Hazard::kNone) visit(conflict);
      }
      if (!Replaces(access, i)) {
        ++i;
      } else if (i + 1 == entries_.size()) {
        // The access becomes the last entry.
        Entry& last = entries_[i];
        last.access = access;
        last.applied = access.position;
        last.reach = Reach();
        return 0;
      } else {
        Erase(i);
      }
    }
    return Keep(access, Reach());
  }

  // Applies a barrier whose memory scopes name this resource. SubmissionOrder does not contain such
  // barriers. The first scope of the barrier excludes accesses after position `limit` of its queue,
  // as an event wait requires. `command`: as in SubmissionOrder::Add.
  void Apply(const ScopeBarrier& barrier, const Extent& extent, TimelineId timeline,
             const ScopedPlace& place, Position limit = ~Position{0}, Position command = 0);
  // Applies a barrier that also writes the resource between its scopes, to change the layout or the
  // owner. Visits conflicts and returns the number of dropped accesses as Use() does.
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
      const ScopedConflict conflict =
          FindTransitionConflict(entry, barrier, transition, place, limit);
      if (conflict.kind != Hazard::kNone) visit(conflict);
      if (Replaces(transition, i)) {
        Erase(i);
      } else {
        ++i;
      }
    }
    Reach reach;
    // The other barriers of the command do not follow it.
    reach.command = CommandAt(transition.position);
    reach.chain = barrier.target_order;
    reach.available = true;
    reach.visible_stages = barrier.target_stages;
    reach.visible_access = barrier.target_access;
    return Keep(transition, reach);
  }

  // Stores an access without comparing it. Returns the number of dropped accesses.
  int Note(const ScopedAccess& access) { return Keep(access, Reach()); }
  // Compares an access and visits conflicts as Use() does, without storing the access.
  template <typename Visitor>
  void VisitConflicts(const ScopedAccess& access, const ScopedPlace& place, Visitor visit) {
    for (size_t i = 0; i < entries_.size(); ++i) {
      Entry& entry = entries_[i];
      if (place.host.Completed(entry.access.epoch) ||
          !Overlaps(entry.access.extent, access.extent) || (!entry.access.write && !access.write))
        continue;
      const ScopedConflict conflict = FindConflict(entry, access, place);
      if (conflict.kind != Hazard::kNone) visit(conflict);
    }
  }

  // Compares an access to another resource that shares memory with this one, without storing it.
  // `overlap(const Extent&)` returns how the access overlaps an extent of this resource.
  // `transition` is the barrier, if the access is a barrier's write to the other resource;
  // otherwise nullptr.
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
          transition != nullptr
              ? FindTransitionConflict(entry, *transition, access, place, ~Position{0})
              : FindConflict(entry, access, place);
      if (conflict.kind != Hazard::kNone) visit(conflict);
      // An overwritten access is ordered before the write, or its conflict was reported.
      if (shared == Overlap::kAll && access.write) {
        Erase(i);
      } else {
        ++i;
      }
    }
  }
  // Applies a barrier of another resource that shares memory with this one.
  void ApplyToAll(const ScopeBarrier& barrier, TimelineId timeline, const ScopedPlace& place,
                  Position command = 0);

  // Returns the last access that the host has not waited for; nullptr if there is none. Considers
  // only accesses that overlap `extent`, if it is not nullptr.
  const ScopedAccess* FindPending(const Extent* extent, bool writes_only,
                                  const HostClock& host) const;
  bool empty() const { return entries_.empty(); }
  void Clear() { entries_.clear(); }

 private:
  struct Entry {
    ScopedAccess access;
    Position applied = 0;  // `reach` includes the steps of its queue up to this position
    Reach reach;
  };

  // True if both accesses belong to one command: they do not conflict. Positions are unique only
  // within a queue.
  static bool SameCommand(const ScopedAccess& a, const ScopedAccess& b) {
    return a.position == b.position && a.epoch.timeline() == b.epoch.timeline();
  }
  // True if both accesses are made to attachments in one subpass, which orders them.
  static bool OrderedByPass(const ScopedAccess& earlier, const ScopedAccess& later) {
    return earlier.pass != 0 && earlier.pass == later.pass && earlier.subpass == later.subpass &&
           (earlier.loads || (earlier.rasterized && later.rasterized)) &&
           earlier.epoch.timeline() == later.epoch.timeline();
  }
  // Updates the reach of an entry of the queue of `place.order` for the next command on this queue.
  // Returns false if the entry is too old.
  static bool CatchUp(Entry& entry, const ScopedPlace& place);
  // Computes the reach of `entry` for the next command on the queue of `timeline`. Returns false if
  // the entry is too old.
  static bool ReachFor(Entry& entry, TimelineId timeline, const ScopedPlace& place, Reach* reach);
  ScopedConflict FindConflict(Entry& entry, const ScopedAccess& later, const ScopedPlace& place);
  ScopedConflict FindTransitionConflict(Entry& entry, const ScopeBarrier& barrier,
                                        const ScopedAccess& transition, const ScopedPlace& place,
                                        Position limit);
  // True if a stored read of memory of both accesses follows `write`. The read is then ordered
  // between the two accesses, or its conflict is reported.
  bool ReadBetween(const ScopedAccess& write, const ScopedAccess& later) const;
  // Removes the bytes or subresources that `access` covers from the entry at `index`: `access`
  // represents them from now on. Returns true if the caller must erase the entry. Uncovered parts
  // remain in the entry or become new entries.
  bool Replaces(const ScopedAccess& access, size_t index);
  // Reduces the entry at `index` to its intersection with `extent`, and adds entries for the rest.
  // Requires: `extent` overlaps the entry. Does nothing if the entry cannot be divided or the
  // history is full.
  void SplitOff(const Extent& extent, size_t index);
  // Adds copies of `like` for the subresources of its image part that `covered` does not contain.
  // Requires: both parts are whole().
  void KeepRest(const Entry& like, const ImagePart& covered);
  // Stores an access. Returns the number of accesses that were dropped for it.
  int Keep(const ScopedAccess& access, const Reach& reach);
  void Erase(size_t i) { entries_.erase(i); }

  CompactVector<Entry> entries_;  // oldest first
};

}  // namespace gpusan
