// Order within one Vulkan queue, for one resource or part of one: only barriers order, by stages
// and accesses.
//
// Stages and kinds of access are bits of 64-bit masks whose meaning is the caller's. The caller
// spells out what its API implies: all-commands, all reads, and the logically earlier (later)
// stages that an execution scope includes.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "tracker/ids.h"

namespace gpusan {

struct CallInfo;

struct ScopeAccess {
  uint64_t stage = 0;  // one bit, or all that the access may happen in
  uint64_t access = 0;
  bool write = false;
  const CallInfo* call = nullptr;
  SiteId site = kUnknownSite;
};

// A memory dependency; an execution dependency only where the access masks are 0.
struct ScopeBarrier {
  uint64_t source_order =
      0;  // stages of the first execution scope, with the logically earlier ones
  uint64_t source_stages = 0;  // of the first access scope
  uint64_t source_access = 0;
  uint64_t target_order = 0;  // stages of the second execution scope, with the logically later ones
  uint64_t target_stages = 0;
  uint64_t target_access = 0;
};

enum class Hazard : uint8_t { kNone, kReadAfterWrite, kWriteAfterRead, kWriteAfterWrite };
// "RAW"; "" for none.
const char* HazardName(Hazard hazard);

struct ScopeHazard {
  Hazard kind = Hazard::kNone;
  ScopeAccess earlier;
  bool unordered =
      false;  // no chain of barriers leads from the earlier access to the stage of the later one
  bool not_available =
      false;  // ordered, but no barrier names the access of the write in its first scope
  bool not_visible = false;  // ordered and available, but not made visible to the later access
};

// Not thread-safe. The last write, and the last read since in each stage, each with what barriers
// did for it since.
class ScopeState {
 public:
  // The access comes next in submission order: judges it, then keeps it.
  ScopeHazard Use(const ScopeAccess& access);
  void Apply(const ScopeBarrier& barrier);
  // A barrier that also writes the resource itself, to change its layout or owner.
  ScopeHazard Transition(const ScopeBarrier& barrier, const CallInfo* call, SiteId site);
  // A semaphore wait: everything before is available, and visible to all accesses of these stages.
  void Acquire(uint64_t stages);
  // The host or the whole queue has waited: nothing before can be a hazard any more.
  void Forget();

 private:
  struct Visibility {
    uint64_t stages, access;
  };
  struct Write {
    ScopeAccess access;
    bool any = false;
    uint64_t chain = 0;  // stages that barriers have put behind it
    bool available = false;
    absl::InlinedVector<Visibility, 2> visible;

    void Clear() {
      access = ScopeAccess();
      any = available = false;
      chain = 0;
      visible.clear();
    }
  };
  struct Read {
    ScopeAccess access;
    uint64_t chain = 0;
  };
  static constexpr size_t kMaxVisible = 8;

  ScopeHazard JudgeWrite(const ScopeAccess& later) const;
  static void AddVisible(Write* write, uint64_t stages, uint64_t access);

  Write write_;
  absl::InlinedVector<Read, 2> reads_;  // at most one a stage mask
};

}  // namespace gpusan
