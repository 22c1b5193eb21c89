// Recent accesses of commands to a resource, and the search for unordered pairs of them.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include "tracker/model/clock.h"
#include "tracker/model/ids.h"
#include "tracker/model/region.h"

namespace gpusan {

struct CallInfo;

// How much is known about an access.
enum class Sureness : uint8_t {
  kCertain,  // these bytes in this direction: copies, fills, maps
  kDerived,  // the same, by a kernel whose code says so
  // As kDerived, in front of everything by which the kernel can order its accesses. Counts as kHeld
  // after a launch of a kernel that waits for others (waiting_kernels.h).
  kUnwaited,
  kSomewhere,  // some bytes of the resource in this direction, by a kernel whose code says so
  kExtent,     // this direction, but possibly not all bytes: a const kernel argument
  kPossible,   // neither is known: a kernel argument of unknown direction
  kHeld,       // possibly not accessed: counts for lifetime only
};

// The role of an access for its resource.
enum class AccessRole : uint8_t {
  kAccess,
  // A message that arrives: a library writes it by copies of its own, in any of its calls, until
  // the program has waited for the message.
  kMessage,
  kAllocation,  // in stream order
  kFree,        // in stream order
  kBinding,     // the command binds other memory to the resource
  kUnmap,       // the end of a mapping: the bytes may stay as they are
};
inline bool IsLifetime(AccessRole role) {
  return role == AccessRole::kAllocation || role == AccessRole::kFree;
}

// What an access does with its bytes.
struct AccessKind {
  bool write = false;
  bool read = false;
  Sureness sureness = Sureness::kCertain;
  // The kernel may access bytes other than those at the start of its argument, because an integral
  // argument or a global offset could be an offset into it.
  bool may_offset = false;
  AccessRole role = AccessRole::kAccess;
  // Made through an earlier owner of the same memory (AccessHistory::Inherit). Not part of Word().
  bool inherited = false;
  // Made by the API that exported the memory which this resource imports. The release of the import
  // need not wait for it. Not part of Word().
  bool by_exporter = false;
  // The index of the kernel's argument, plus 1; 0: not known. Not part of Word().
  uint8_t argument = 0;

  // Returns all fields in one word, with the memory layout of the struct. Kinds for a comparison
  // are built as words, because loading a word that was just stored field by field is slow.
  static constexpr uint64_t Word(bool write, bool read, Sureness sureness, bool may_offset,
                                 AccessRole role = AccessRole::kAccess) {
    return uint64_t{write} | uint64_t{read} << 8 | uint64_t{static_cast<uint8_t>(sureness)} << 16 |
           uint64_t{may_offset} << 24 | uint64_t{static_cast<uint8_t>(role)} << 32;
  }
  static AccessKind Of(uint64_t word, uint8_t argument = 0) {
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    auto kind = std::bit_cast<AccessKind>(word);
    kind.argument = argument;
    return kind;
  }
  // Both return Word() of this kind. Joined() combines the fields, for kinds whose fields may be
  // constants or in registers. Loaded() reads one word, for kinds that were stored long ago.
  constexpr uint64_t Joined() const { return Word(write, read, sureness, may_offset, role); }
  uint64_t Loaded() const {
    const auto word = std::bit_cast<uint64_t>(*this);
    constexpr uint64_t kWithoutArgument = ~uint64_t{0} >> 8;
    return (std::endian::native == std::endian::little ? word : __builtin_bswap64(word)) &
           kWithoutArgument;
  }

  friend bool operator==(const AccessKind& a, const AccessKind& b) {
    return a.Joined() == b.Joined();
  }
};

// The command that makes an access.
struct AccessOrigin {
  Epoch epoch;
  const CallInfo* call = nullptr;  // static storage duration
  SiteId site = kUnknownSite;
  // 0, or the set of unsignalled user events for which the command waits (pending_signals.h): the
  // order of the command is not settled yet.
  uint32_t gates = 0;
};

// One access of one command. Histories store it by value; 72 bytes.
struct Access : AccessOrigin, AccessKind {
  Region region;
};
static_assert(sizeof(Access) == 72);

// The accesses to one resource (or to one range of host memory) that are not yet ordered before all
// possible later commands: the last writes and the reads since. Not thread-safe except for empty();
// the lock of the owner must guard it. Holds at most kMaxAccesses and then drops the oldest access.
class AccessHistory {
 public:
  static constexpr uint32_t kMaxAccesses = 32;

  AccessHistory() = default;
  AccessHistory(const AccessHistory&) = delete;
  AccessHistory& operator=(const AccessHistory&) = delete;
  ~AccessHistory();

  // Calls `visit(const Access&)` for each access that conflicts with `access`: it overlaps
  // `access`, at least one of the two is a write, and it is not ordered before a command at
  // (`access.epoch`, `before`). Removes completed accesses. Then, if `keep`, adds `access` and
  // removes the accesses that `access` represents. `before`: the epochs for which the command
  // waits, beyond the host clock and its own timeline. Returns the number of accesses that were
  // dropped although they still mattered (0 or 1).
  template <typename Visitor>
  int Record(const Access& access, const Clock& before, const HostClock& host, bool keep,
             Visitor visit) {
    bool placed = false;
    for (uint32_t i = 0; i < count_;) {
      Access& earlier = accesses_[i];
      const bool same_timeline = earlier.epoch.timeline() == access.epoch.timeline();
      if (same_timeline || before.Covers(earlier.epoch)) {
        // Anything that is later unordered with `earlier` is unordered with `access` too. So
        // `access` represents `earlier` if it conflicts with at least as much.
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

  // The common case of Record with `keep`: all entries belong to the timeline of the new access,
  // and it represents exactly one of them, which has the same kind and bytes. The accessed bytes
  // are `region`, shifted by `shift` bytes. Returns false, without side effects, in all other
  // cases.
  [[gnu::always_inline]] bool Repeat(const Region& region, uint64_t shift, const AccessKind& kind,
                                     const AccessOrigin& origin) {
    if (!region.linear()) return RepeatAmong(region, shift, kind, origin);
    return RepeatRow(region.offset + shift, region.width, kind, origin);
  }

  // Like Repeat, for one row of bytes.
  [[gnu::always_inline]] bool RepeatRow(uint64_t begin, uint64_t bytes, const AccessKind& kind,
                                        const AccessOrigin& origin) {
    return RepeatRow(begin, bytes, kind.Joined(), kind.argument, origin);
  }

  // Like Repeat, for one row of bytes and a kind with the word `kind` and the field `argument`.
  [[gnu::always_inline]] bool RepeatRow(uint64_t begin, uint64_t bytes, uint64_t kind,
                                        uint8_t argument, const AccessOrigin& origin) {
    if (size() != 1) return RepeatRowAmong(begin, bytes, kind, argument, origin);
    Access& only = accesses_[0];
    if (only.epoch.timeline() != origin.epoch.timeline() || only.region.offset != begin ||
        only.region.width != bytes || !only.region.linear() || only.Loaded() != kind) {
      return false;
    }
    // Store field by field: loading a word that was just stored field by field is slow.
    only.epoch = origin.epoch;
    only.call = origin.call;
    only.site = origin.site;
    only.gates = origin.gates;
    only.argument = argument;
    return true;
  }

  // Record with `keep`, if all entries belong to the timeline of the access: then it conflicts with
  // none. Returns false, without side effects, otherwise.
  bool RecordAlone(const Access& access, const HostClock& host, int* dropped);

  // Adds an access with Sureness::kHeld to all bytes of a resource of `bytes`. Such an access
  // conflicts with nothing, so one entry per timeline represents all of them. Returns the same as
  // Record.
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

  // Returns true if all entries belong to `timeline`. Its next command is then ordered after all of
  // them.
  bool OnlyOf(TimelineId timeline) const {
    for (const Access& entry : *this) {
      if (entry.epoch.timeline() != timeline) return false;
    }
    return true;
  }

  // Adds an access of an earlier owner of the memory, without a comparison. Returns the same as
  // Record.
  int Inherit(const Access& access) {
    Access kept = access;
    kept.inherited = true;
    return Append(kept);
  }

  // Removes the accesses of a command that was not enqueued.
  void Remove(Epoch epoch);

  // Removes the accesses that the host clock covers.
  void Prune(const HostClock& host);

  // Returns the last access that overlaps `region` and is not known to be complete (only writes if
  // `writes_only`), or nullptr. Ignores allocations in stream order and accesses by the exporter.
  const Access* FindPending(const Region& region, bool writes_only, const HostClock& host) const;

  bool empty() const { return count_.load(std::memory_order_relaxed) == 0; }
  uint32_t size() const { return count_.load(std::memory_order_relaxed); }
  const Access* begin() const { return accesses_; }
  const Access* end() const { return accesses_ + size(); }
  // Removes all accesses. Keeps a small buffer for the next owner of the memory.
  void Clear();

 private:
  bool RepeatRowAmong(uint64_t begin, uint64_t bytes, uint64_t kind, uint8_t argument,
                      const AccessOrigin& origin);
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
