// Overlap of parts of resources, and the hazards between accesses to them.
#include "tracker/scopes/scoped_history.h"

#include "tracker/scopes/shader_bytes.h"

#include <algorithm>

namespace gpusan {
namespace {

bool RangesOverlap(uint64_t a, uint64_t a_count, uint64_t b, uint64_t b_count) {
  return a < b + b_count && b < a + a_count;
}
bool RangeContains(uint64_t a, uint64_t a_count, uint64_t b, uint64_t b_count) {
  return a <= b && b + b_count <= a + a_count;
}
bool Within(uint64_t part, uint64_t whole) { return (part & ~whole) == 0; }
// True if one of `stages` is in `ordered`, or if the stages are unknown (0). For an access with
// several possible stages one match is enough.
bool MayBeIn(uint64_t stages, uint64_t ordered) { return stages == 0 || (stages & ordered) != 0; }

}  // namespace

bool Overlaps(const ImagePart& a, const ImagePart& b) {
  if ((a.aspects & b.aspects) == 0 || !RangesOverlap(a.first_mip, a.mips, b.first_mip, b.mips) ||
      !RangesOverlap(a.first_layer, a.layers, b.first_layer, b.layers))
    return false;
  if (a.whole() || b.whole()) return true;
  for (int axis = 0; axis < 3; ++axis) {
    if (!RangesOverlap(a.origin[axis], a.extent[axis], b.origin[axis], b.extent[axis]))
      return false;
  }
  return true;
}

bool Contains(const ImagePart& outer, const ImagePart& inner) {
  if (!Within(inner.aspects, outer.aspects) ||
      !RangeContains(outer.first_mip, outer.mips, inner.first_mip, inner.mips) ||
      !RangeContains(outer.first_layer, outer.layers, inner.first_layer, inner.layers))
    return false;
  if (outer.whole()) return true;
  if (inner.whole()) return false;
  for (int axis = 0; axis < 3; ++axis) {
    if (!RangeContains(outer.origin[axis], outer.extent[axis], inner.origin[axis],
                       inner.extent[axis]))
      return false;
  }
  return true;
}

inline bool ScopedHistory::CatchUp(Entry& entry, const ScopedPlace& place) {
  const ScopedAccess& access = entry.access;
  if (!place.order.CatchUp(access.position, entry.applied, access.epoch, access.stage,
                           access.access, access.write, &entry.reach)) [[unlikely]]
    return false;
  entry.applied = place.order.now();
  return true;
}

bool ScopedHistory::ReachFor(Entry& entry, TimelineId timeline, const ScopedPlace& place,
                             Reach* reach) {
  const ScopedAccess& access = entry.access;
  if (access.epoch.timeline() == timeline) {
    if (!CatchUp(entry, place)) return false;
    *reach = entry.reach;
    return true;
  }
  *reach = Reach();
  return place.order.CatchUpForeign(access.epoch, access.stage, access.access, access.write, reach);
}

bool ScopedHistory::ReadBetween(const ScopedAccess& write, const ScopedAccess& later) const {
  for (const Entry& entry : entries_) {
    if (!entry.access.write && entry.access.position > write.position &&
        entry.access.epoch.timeline() == write.epoch.timeline() &&
        Overlaps(entry.access.extent, write.extent) && Overlaps(entry.access.extent, later.extent))
      return true;
  }
  return false;
}

ScopedConflict ScopedHistory::FindConflict(Entry& entry, const ScopedAccess& later,
                                           const ScopedPlace& place) {
  ScopedConflict conflict;
  const ScopedAccess& earlier = entry.access;
  if (OrderedByPass(earlier, later)) return conflict;
  if (!ReachFor(entry, later.epoch.timeline(), place, &conflict.reach)) return conflict;
  const Reach& reach = conflict.reach;
  const bool other = earlier.epoch.timeline() != later.epoch.timeline();
  conflict.other_queue = other && !place.before.Covers(earlier.epoch);
  conflict.unordered = conflict.other_queue || !MayBeIn(later.stage, reach.chain);
  if (earlier.write) {
    if (!conflict.other_queue && MayBeIn(later.stage, reach.visible_stages) &&
        Within(later.access, reach.visible_access))
      return conflict;
    // After a read between both writes, only that read can conflict with the later write.
    if (later.write && ReadBetween(earlier, later)) return conflict;
    conflict.kind = later.write ? Hazard::kWriteAfterWrite : Hazard::kReadAfterWrite;
  } else if (conflict.unordered) {
    conflict.kind = Hazard::kWriteAfterRead;
  }
  conflict.earlier = &earlier;
  conflict.later = &later;
  return conflict;
}

ScopedConflict ScopedHistory::FindTransitionConflict(Entry& entry, const ScopeBarrier& barrier,
                                                     const ScopedAccess& transition,
                                                     const ScopedPlace& place, Position limit) {
  ScopedConflict conflict;
  const ScopedAccess& earlier = entry.access;
  const bool other = earlier.epoch.timeline() != transition.epoch.timeline();
  // Layout transitions on one queue execute in submission order. Their writes become available
  // automatically, and available writes are visible to them (Vulkan 1.3 §7.1.1).
  if (earlier.transition && earlier.extent.is_image && !other) return conflict;
  if (!ReachFor(entry, transition.epoch.timeline(), place, &conflict.reach)) return conflict;
  const Reach& reach = conflict.reach;
  conflict.other_queue = other && !place.before.Covers(earlier.epoch);
  const bool in_scope = !other && earlier.position <= limit;
  // Barriers of the same command do not precede it.
  const bool same = reach.command == CommandAt(transition.position);
  const uint64_t behind =
      (in_scope ? earlier.stage : 0) | (same ? reach.chain_before : reach.chain);
  const bool ordered = !conflict.other_queue && (behind & barrier.source_order) != 0;
  conflict.unordered = !ordered;
  if (earlier.write) {
    const bool available = (same ? reach.available_before : reach.available) ||
                           (in_scope && (earlier.stage & barrier.source_stages) != 0 &&
                            (earlier.access & barrier.source_access) != 0);
    if (ordered && available) return conflict;
    if (ReadBetween(earlier, transition)) return conflict;
    conflict.kind = Hazard::kWriteAfterWrite;
  } else if (!ordered) {
    conflict.kind = Hazard::kWriteAfterRead;
  }
  conflict.earlier = &earlier;
  conflict.later = &transition;
  return conflict;
}

void ScopedHistory::Apply(const ScopeBarrier& barrier, const Extent& extent, TimelineId timeline,
                          const ScopedPlace& place, Position limit, Position command) {
  for (size_t i = 0; i < entries_.size();) {
    Entry& entry = entries_[i];
    if (place.host.Completed(entry.access.epoch)) {
      Erase(i);
      continue;
    }
    ++i;
    if (entry.access.epoch.timeline() != timeline || entry.access.position > limit ||
        !Overlaps(entry.access.extent, extent))
      continue;
    if (!CatchUp(entry, place)) continue;
    if (!Contains(extent, entry.access.extent)) [[unlikely]]
      SplitOff(extent, i - 1);
    const ScopedAccess& earlier = entries_[i - 1].access;
    entries_[i - 1].reach.Apply(barrier, earlier.stage, earlier.access, earlier.write,
                                CommandAt(command));
  }
}

void ScopedHistory::ApplyToAll(const ScopeBarrier& barrier, TimelineId timeline,
                               const ScopedPlace& place, Position command) {
  for (Entry& entry : entries_) {
    if (entry.access.epoch.timeline() == timeline && CatchUp(entry, place))
      entry.reach.Apply(barrier, entry.access.stage, entry.access.access, entry.access.write,
                        CommandAt(command));
  }
}

bool ScopedHistory::Replaces(const ScopedAccess& access, size_t index) {
  Entry& entry = entries_[index];
  // They are not compared with each other.
  if (IsCompanion(entry.access) != IsCompanion(access) && !access.transition) return false;
  if (!access.write) {
    // A barrier that covers this read also covers an earlier read in the same stage.
    return !entry.access.write && entry.access.stage == access.stage &&
           entry.access.epoch.timeline() == access.epoch.timeline() &&
           Contains(access.extent, entry.access.extent);
  }
  if (Contains(access.extent, entry.access.extent)) return true;
  // The covered part of the old access is ordered before the new access, or its conflict was
  // reported.
  if (!access.extent.is_image) {
    const Region& covered = access.extent.region;
    Region& left = entry.access.extent.region;
    // The bytes that a shader accesses in its extent are unknown.
    if (!covered.linear() || !left.linear() || HasUnknownBytes(entry.access)) return false;
    const Region behind = Region::Linear(covered.end(), left.end() - covered.end());
    if (covered.offset <= left.offset) {
      left = behind;
      return false;
    }
    const bool in_the_middle = covered.end() < left.end();
    left.width = covered.offset - left.offset;
    if (in_the_middle) {
      Entry rest = entry;
      rest.access.extent.region = behind;
      entries_.push_back(rest);
    }
    return false;
  }
  const ImagePart& covered = access.extent.part;
  if (!covered.whole() || !entry.access.extent.part.whole()) return false;
  const Entry covered_entry = entry;
  KeepRest(covered_entry, covered);
  return true;
}

void ScopedHistory::KeepRest(const Entry& like, const ImagePart& covered) {
  auto keep = [&](uint32_t aspects, uint32_t mip, uint32_t mips, uint32_t layer, uint32_t layers) {
    if (aspects == 0 || mips == 0 || layers == 0) return;
    Entry rest = like;
    rest.access.extent.part.aspects = aspects;
    rest.access.extent.part.first_mip = mip;
    rest.access.extent.part.mips = mips;
    rest.access.extent.part.first_layer = layer;
    rest.access.extent.part.layers = layers;
    entries_.push_back(rest);
  };
  const ImagePart& old = like.access.extent.part;
  const uint32_t mip_end = old.first_mip + old.mips, layer_end = old.first_layer + old.layers;
  const uint32_t first_mip = std::max(old.first_mip, covered.first_mip);
  const uint32_t last_mip = std::min(mip_end, covered.first_mip + covered.mips);
  const uint32_t first_layer = std::max(old.first_layer, covered.first_layer);
  const uint32_t last_layer = std::min(layer_end, covered.first_layer + covered.layers);
  const uint32_t both = old.aspects & covered.aspects;
  keep(old.aspects & ~covered.aspects, old.first_mip, old.mips, old.first_layer, old.layers);
  keep(both, old.first_mip, first_mip - old.first_mip, old.first_layer, old.layers);
  keep(both, last_mip, mip_end - last_mip, old.first_layer, old.layers);
  keep(both, first_mip, last_mip - first_mip, old.first_layer, first_layer - old.first_layer);
  keep(both, first_mip, last_mip - first_mip, last_layer, layer_end - last_layer);
}

void ScopedHistory::SplitOff(const Extent& extent, size_t index) {
  const Entry entry = entries_[index];
  // The bytes or texels that a shader accesses in its extent are unknown.
  if (HasUnknownBytes(entry.access) || entries_.size() >= kMaxAccesses) return;
  if (extent.is_image) {
    const ImagePart &named = extent.part, &old = entry.access.extent.part;
    if (!named.whole() || !old.whole()) return;
    ImagePart& part = entries_[index].access.extent.part;
    const uint32_t mip_end = std::min(old.first_mip + old.mips, named.first_mip + named.mips);
    const uint32_t layer_end =
        std::min(old.first_layer + old.layers, named.first_layer + named.layers);
    part.aspects = old.aspects & named.aspects;
    part.first_mip = std::max(old.first_mip, named.first_mip);
    part.mips = mip_end - part.first_mip;
    part.first_layer = std::max(old.first_layer, named.first_layer);
    part.layers = layer_end - part.first_layer;
    KeepRest(entry, named);
    return;
  }
  const Region &named = extent.region, &old = entry.access.extent.region;
  if (!named.linear() || !old.linear()) return;
  const uint64_t begin = std::max(named.offset, old.offset), end = std::min(named.end(), old.end());
  entries_[index].access.extent.region = Region::Linear(begin, end - begin);
  auto keep = [&](uint64_t from, uint64_t to) {
    if (from >= to) return;
    Entry rest = entry;
    rest.access.extent.region = Region::Linear(from, to - from);
    entries_.push_back(rest);
  };
  keep(old.offset, begin);
  keep(end, old.end());
}

int ScopedHistory::Keep(const ScopedAccess& access, const Reach& reach) {
  int dropped = 0;
  entries_.emplace_back(access, access.position, reach);
  while (entries_.size() > kMaxAccesses) {
    Erase(0);
    ++dropped;
  }
  return dropped;
}

const ScopedAccess* ScopedHistory::FindPending(const Extent* extent, bool writes_only,
                                               const HostClock& host) const {
  for (const Entry* entry = entries_.end(); entry-- != entries_.begin();) {
    if (host.Completed(entry->access.epoch) || (writes_only && !entry->access.write) ||
        (extent != nullptr && !Overlaps(entry->access.extent, *extent)))
      continue;
    return &entry->access;
  }
  return nullptr;
}

}  // namespace gpusan
