// What commands did to a resource lately, and which two of them are not ordered.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "tracker/model/clock.h"
#include "tracker/model/ids.h"
#include "tracker/model/region.h"

namespace gpusan {

struct CallInfo;

// How much is known about an access.
enum class Sureness : uint8_t {
  kCertain,   // these bytes, this direction: copies, fills, maps
  kExtent,    // this direction, but perhaps not all of these bytes: a const kernel argument
  kPossible,  // neither: a kernel argument whose direction nobody can know
  kHeld,      // perhaps not accessed at all: counts for lifetime only
};

// What an access is to its resource: the memory comes and goes in the order of a stream, too.
enum class AccessRole : uint8_t { kAccess, kAllocation, kFree };

// What an access does with its bytes.
struct AccessKind {
  bool write = false;
  bool read = false;
  Sureness sureness = Sureness::kCertain;
  // A kernel that may reach other bytes than those at the start of its argument: an integral
  // argument or a global offset could be an offset into it.
  bool may_offset = false;
  AccessRole role = AccessRole::kAccess;
  uint8_t unused[3] = {};

  // All of it in one word, as it lies in memory: what was just stored in pieces is slow to load as
  // one, so that kinds that are made for a comparison are made as words.
  static constexpr uint64_t Word(bool write, bool read, Sureness sureness, bool may_offset,
                                 AccessRole role = AccessRole::kAccess) {
    return uint64_t{write} | uint64_t{read} << 8 | uint64_t{static_cast<uint8_t>(sureness)} << 16 |
           uint64_t{may_offset} << 24 | uint64_t{static_cast<uint8_t>(role)} << 32;
  }
  static AccessKind Of(uint64_t word) {
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    return std::bit_cast<AccessKind>(word);
  }
  // Of parts that may be known by themselves, and of what has long been in memory.
  constexpr uint64_t Joined() const { return Word(write, read, sureness, may_offset, role); }
  uint64_t Loaded() const {
    const auto word = std::bit_cast<uint64_t>(*this);
    return std::endian::native == std::endian::little ? word : __builtin_bswap64(word);
  }

  friend bool operator==(const AccessKind& a, const AccessKind& b) {
    return a.Joined() == b.Joined();
  }
};

// The command behind an access.
struct AccessOrigin {
  Epoch epoch;
  const CallInfo* call = nullptr;  // static
  SiteId site = kUnknownSite;
  // 0, or the set of unsignalled user events that the command waits for (pending_signals.h): its
  // order is not settled yet.
  uint32_t gates = 0;
};

// One access of one command. Kept by value in histories; 72 bytes.
struct Access : AccessOrigin, AccessKind {
  Region region;
};
static_assert(sizeof(Access) == 72);

// The accesses of one resource (or of one stretch of host memory) that are not yet ordered before
// all that can come: last writes and the reads since. Not thread-safe but for empty(); the owner
// locks. At most kMaxAccesses, then the oldest goes.
class AccessHistory {
 public:
  static constexpr uint32_t kMaxAccesses = 32;

  AccessHistory() = default;
  AccessHistory(const AccessHistory&) = delete;
  AccessHistory& operator=(const AccessHistory&) = delete;
  ~AccessHistory();

  // Calls `visit(const Access&)` for each access that is not ordered before a command at
  // (`access.epoch`, `before`), overlaps `access` and conflicts with it (one of the two writes);
  // drops what is complete; then, if `keep`, adds the access and drops what it stands for.
  // `before`: what the command waits for beyond the host's clock and its own timeline. Returns the
  // number of entries dropped although they still mattered (0 or 1).
  template <typename Visitor>
  int Record(const Access& access, const Clock& before, const HostClock& host, bool keep,
             Visitor visit) {
    bool placed = false;
    for (uint32_t i = 0; i < count_;) {
      Access& earlier = accesses_[i];
      const bool same_timeline = earlier.epoch.timeline() == access.epoch.timeline();
      if (same_timeline || before.Covers(earlier.epoch)) {
        // Anything unordered with `earlier` later is unordered with `access` too, so where the new
        // one conflicts with at least as much, it stands for the old one.
        const bool stands_for = keep && (access.write || !earlier.write) &&
                                access.sureness <= earlier.sureness &&
                                Contains(access.region, earlier.region);
        if (!stands_for && !host.Completed(earlier.epoch)) {
          ++i;
          continue;
        }
      } else if (!host.Completed(earlier.epoch)) {
        if ((access.write || earlier.write) && Overlaps(access.region, earlier.region))
          visit(earlier);
        ++i;
        continue;
      }
      if (keep && !placed) {
        earlier = access;
        placed = true;
        ++i;
      } else {
        Erase(i);
      }
    }
    return keep && !placed ? Append(access) : 0;
  }

  // The common case of Record, for an access that is kept: all entries are of its own timeline, and
  // the new access stands for one alone, which did the same to the same bytes. `region` begins
  // `shift` bytes further on. False if it is not so; then nothing has changed.
  [[gnu::always_inline]] bool Repeat(const Region& region, uint64_t shift, const AccessKind& kind,
                                     const AccessOrigin& origin) {
    if (!region.linear()) return RepeatAmong(region, shift, kind, origin);
    return RepeatRow(region.offset + shift, region.width, kind, origin);
  }

  // The same for a row of bytes.
  [[gnu::always_inline]] bool RepeatRow(uint64_t begin, uint64_t bytes, const AccessKind& kind,
                                        const AccessOrigin& origin) {
    if (size() != 1) return RepeatAmong(Region::Linear(begin, bytes), 0, kind, origin);
    Access& only = accesses_[0];
    if (only.epoch.timeline() != origin.epoch.timeline() || only.region.offset != begin ||
        only.region.width != bytes || !only.region.linear() || only.Loaded() != kind.Joined()) {
      return false;
    }
    // Field by field: what was just stored in pieces is slow to load as one.
    only.epoch = origin.epoch;
    only.call = origin.call;
    only.site = origin.site;
    only.gates = origin.gates;
    return true;
  }

  // Keeps an access of which only is known that it may be one (Sureness::kHeld), to all of a
  // resource of `bytes`: it conflicts with nothing, so that one a timeline stands for all. Returns
  // as Record.
  [[gnu::always_inline]] int Hold(uint64_t bytes, const AccessOrigin& origin,
                                  const HostClock& host) {
    if (size() != 0 && accesses_[0].sureness == Sureness::kHeld &&
        accesses_[0].epoch.timeline() == origin.epoch.timeline()) [[likely]] {
      accesses_[0].epoch = origin.epoch;
      accesses_[0].call = origin.call;
      accesses_[0].site = origin.site;
      accesses_[0].gates = origin.gates;
      return 0;
    }
    return HoldSlow(bytes, origin, host);
  }

  // True if all entries are of this timeline: nothing here is unordered with its next command.
  bool OnlyOf(TimelineId timeline) const {
    for (const Access& entry : *this) {
      if (entry.epoch.timeline() != timeline) return false;
    }
    return true;
  }

  // Removes the accesses of a command that was not enqueued after all.
  void Remove(Epoch epoch);

  // Drops what the host knows to be complete.
  void Prune(const HostClock& host);

  // The last access that is not known to be complete and overlaps `region` (writes only if asked);
  // nullptr if there is none. Allocations in stream order are none.
  const Access* FindPending(const Region& region, bool writes_only, const HostClock& host) const;

  bool empty() const { return count_.load(std::memory_order_relaxed) == 0; }
  uint32_t size() const { return count_.load(std::memory_order_relaxed); }
  const Access* begin() const { return accesses_; }
  const Access* end() const { return accesses_ + size(); }
  // Forgets everything; keeps a small buffer for the next owner of the memory.
  void Clear();

 private:
  bool RepeatAmong(const Region& region, uint64_t shift, const AccessKind& kind,
                   const AccessOrigin& origin);
  int HoldSlow(uint64_t bytes, const AccessOrigin& origin, const HostClock& host);
  int Append(const Access& access);
  void Erase(uint32_t at);
  void set_size(uint32_t count) { count_.store(count, std::memory_order_relaxed); }

  Access* accesses_ = nullptr;
  std::atomic<uint32_t> count_{0};
  uint32_t capacity_ = 0;
};

}  // namespace gpusan
