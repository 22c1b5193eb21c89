// Access histories: growth and pruning.
#include "tracker/order/access.h"

#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>

namespace gpusan {
static_assert(std::is_trivially_copyable_v<Access>);

void AccessHistory::Erase(uint32_t at) {
  const uint32_t left = size() - 1;
  set_size(left);
  if (at != left)
    std::memmove(static_cast<void*>(&accesses_[at]), &accesses_[at + 1],
                 (left - at) * sizeof(Access));
}

int AccessHistory::Append(const Access& access) {
  int dropped = 0;
  if (size() == kMaxAccesses) {
    Erase(0);
    dropped = 1;
  }
  if (size() == capacity_) {
    const uint32_t capacity = capacity_ == 0 ? 2 : capacity_ * 2;
    Access* grown = static_cast<Access*>(
        std::realloc(static_cast<void*>(accesses_), capacity * sizeof(Access)));
    if (grown == nullptr) return 1;
    accesses_ = grown;
    capacity_ = capacity;
  }
  accesses_[size()] = access;
  set_size(size() + 1);
  return dropped;
}

bool AccessHistory::RepeatAmong(const Region& region, uint64_t shift, const AccessKind& kind,
                                const AccessOrigin& origin) {
  Access* same = nullptr;
  const uint64_t begin = region.offset + shift, end = region.end() + shift;
  for (uint32_t i = 0; i < size(); ++i) {
    Access& entry = accesses_[i];
    if (entry.epoch.timeline() != origin.epoch.timeline()) return false;
    if (entry.region.offset == begin && entry.region.width == region.width &&
        entry.region.rows == region.rows && entry.region.slices == region.slices &&
        entry.region.row_pitch == region.row_pitch &&
        entry.region.slice_pitch == region.slice_pitch &&
        static_cast<const AccessKind&>(entry) == kind) {
      same = &entry;
    } else if ((kind.write || !entry.write) && kind.sureness <= entry.sureness &&
               entry.region.offset >= begin && entry.region.end() <= end) {
      return false;
    }
  }
  if (same == nullptr) return false;
  static_cast<AccessOrigin&>(*same) = origin;
  same->inherited = false;
  same->argument = kind.argument;
  return true;
}

bool AccessHistory::RepeatRowAmong(uint64_t begin, uint64_t bytes, uint64_t kind, uint8_t argument,
                                   const AccessOrigin& origin) {
  return RepeatAmong(Region::Linear(begin, bytes), 0, AccessKind::Of(kind, argument), origin);
}

bool AccessHistory::RecordAlone(const Access& access, const HostClock& host, int* dropped) {
  if (!OnlyOf(access.epoch.timeline())) return false;
  const Clock none;
  *dropped = Record(access, none, host, true, [](const Access&) {});
  return true;
}

int AccessHistory::HoldSlow(uint64_t bytes, const AccessOrigin& origin, const HostClock& host) {
  Prune(host);
  int dropped = 0;
  uint32_t at = 0;
  while (at < size() && (accesses_[at].sureness != Sureness::kHeld ||
                         accesses_[at].epoch.timeline() != origin.epoch.timeline()))
    ++at;
  if (at == size()) {
    Access held;
    held.region = Region::Linear(0, bytes);
    held.read = held.write = true;
    held.sureness = Sureness::kHeld;
    dropped = Append(held);
    if (size() == 0) return dropped;  // no memory for the entry
    at = size() - 1;
    if (accesses_[at].sureness != Sureness::kHeld) return dropped;
  }
  static_cast<AccessOrigin&>(accesses_[at]) = origin;
  // Hold() examines the first entry only.
  std::swap(accesses_[0], accesses_[at]);
  return dropped;
}

void AccessHistory::Remove(Epoch epoch) {
  for (uint32_t i = 0; i < size();) {
    if (accesses_[i].epoch == epoch) {
      Erase(i);
    } else {
      ++i;
    }
  }
}

void AccessHistory::Prune(const HostClock& host) {
  for (uint32_t i = 0; i < size();) {
    if (host.Completed(accesses_[i].epoch)) {
      Erase(i);
    } else {
      ++i;
    }
  }
}

const Access* AccessHistory::FindPending(const Region& region, bool writes_only,
                                         const HostClock& host) const {
  for (uint32_t i = size(); i-- > 0;) {
    const Access& access = accesses_[i];
    if ((access.write || !writes_only) && access.role != AccessRole::kAllocation &&
        !access.by_exporter && !host.Completed(access.epoch) && Overlaps(access.region, region)) {
      return &access;
    }
  }
  return nullptr;
}

void AccessHistory::Clear() {
  set_size(0);
  if (capacity_ > 4) {
    std::free(accesses_);
    accesses_ = nullptr;
    capacity_ = 0;
  }
}

AccessHistory::~AccessHistory() { std::free(accesses_); }

}  // namespace gpusan
