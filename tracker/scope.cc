// Missing-barrier judgement: dependency chains, availability and visibility (Vulkan 1.3 §7.2).
#include "tracker/scope.h"

namespace gpusan {
namespace {

bool Within(uint64_t part, uint64_t whole) { return (part & ~whole) == 0; }

}  // namespace

const char* HazardName(Hazard hazard) {
  switch (hazard) {
    case Hazard::kReadAfterWrite:
      return "RAW";
    case Hazard::kWriteAfterRead:
      return "WAR";
    case Hazard::kWriteAfterWrite:
      return "WAW";
    case Hazard::kNone:
      break;
  }
  return "";
}

// Is `later` behind the last write, with its memory available and visible to it?
ScopeHazard ScopeState::JudgeWrite(const ScopeAccess& later) const {
  ScopeHazard hazard;
  if (!write_.any) return hazard;
  for (const Visibility& visible : write_.visible) {
    if (Within(later.stage, visible.stages) && Within(later.access, visible.access)) return hazard;
  }
  hazard.kind = later.write ? Hazard::kWriteAfterWrite : Hazard::kReadAfterWrite;
  hazard.earlier = write_.access;
  hazard.unordered = !Within(later.stage, write_.chain);
  hazard.not_available = !hazard.unordered && !write_.available;
  hazard.not_visible = !hazard.unordered && write_.available;
  return hazard;
}

ScopeHazard ScopeState::Use(const ScopeAccess& access) {
  ScopeHazard hazard;
  if (!access.write) {
    hazard = JudgeWrite(access);
    for (Read& read : reads_) {
      if (read.access.stage != access.stage) continue;
      // A later barrier that covers this read covers the earlier one of the same stage as well.
      read = {access, 0};
      return hazard;
    }
    reads_.push_back({access, 0});
    return hazard;
  }
  // Reads since the last write are behind it, or have been reported: only they can be in the way
  // (execution is enough).
  if (reads_.empty()) hazard = JudgeWrite(access);
  for (const Read& read : reads_) {
    if (Within(access.stage, read.chain)) continue;
    hazard.kind = Hazard::kWriteAfterRead;
    hazard.earlier = read.access;
    hazard.unordered = true;
    break;
  }
  reads_.clear();
  write_.Clear();
  write_.access = access;
  write_.any = true;
  return hazard;
}

void ScopeState::AddVisible(Write* write, uint64_t stages, uint64_t access) {
  if (stages == 0 || access == 0) return;
  for (Visibility& visible : write->visible) {
    if (visible.stages == stages || visible.access == access) {
      visible.stages |= stages;
      visible.access |= access;
      return;
    }
  }
  if (write->visible.size() < kMaxVisible) {
    write->visible.push_back({stages, access});
    return;
  }
  write->visible.back().stages |= stages;
  write->visible.back().access |= access;
}

void ScopeState::Apply(const ScopeBarrier& barrier) {
  if (write_.any && ((write_.access.stage | write_.chain) & barrier.source_order) != 0) {
    write_.chain |= barrier.target_order;
    if ((write_.access.stage & barrier.source_stages) != 0 &&
        (write_.access.access & barrier.source_access) != 0) {
      write_.available = true;
    }
    if (write_.available) AddVisible(&write_, barrier.target_stages, barrier.target_access);
  }
  for (Read& read : reads_) {
    if (((read.access.stage | read.chain) & barrier.source_order) != 0)
      read.chain |= barrier.target_order;
  }
}

ScopeHazard ScopeState::Transition(const ScopeBarrier& barrier, const CallInfo* call, SiteId site) {
  ScopeHazard hazard;
  if (reads_.empty() && write_.any) {
    const bool ordered = ((write_.access.stage | write_.chain) & barrier.source_order) != 0;
    const bool available =
        write_.available || ((write_.access.stage & barrier.source_stages) != 0 &&
                             (write_.access.access & barrier.source_access) != 0);
    if (!ordered || !available) {
      hazard.kind = Hazard::kWriteAfterWrite;
      hazard.earlier = write_.access;
      hazard.unordered = !ordered;
      hazard.not_available = ordered;
    }
  }
  for (const Read& read : reads_) {
    if (((read.access.stage | read.chain) & barrier.source_order) != 0) continue;
    hazard.kind = Hazard::kWriteAfterRead;
    hazard.earlier = read.access;
    hazard.unordered = true;
    break;
  }
  reads_.clear();
  write_.Clear();
  write_.access.write = true;
  write_.access.call = call;
  write_.access.site = site;
  // The transition happens between the scopes: behind the first, available at once, visible to the
  // second.
  write_.any = true;
  write_.available = true;
  write_.chain = barrier.target_order;
  AddVisible(&write_, barrier.target_stages, barrier.target_access);
  return hazard;
}

void ScopeState::Acquire(uint64_t stages) {
  if (write_.any) {
    write_.available = true;
    write_.chain |= stages;
    AddVisible(&write_, stages, ~uint64_t{0});
  }
  for (Read& read : reads_) read.chain |= stages;
}

void ScopeState::Forget() {
  reads_.clear();
  write_.Clear();
}

}  // namespace gpusan
