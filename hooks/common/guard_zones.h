// Guard zones: bytes in front of and behind an allocation that the program never sees. A command
// that changes them has written outside of the allocation.
//
// The hooks of an API allocate the zones, fill them with kGuardByte and read them back. This file
// holds the table of the guarded blocks, and reports changed zones. Used with the option `guard`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "hooks/common/guard.h"
#include "tracker/calls/call.h"
#include "tracker/objects/kernel.h"
#include "tracker/rules/events/guard_damage.h"

namespace gpusan {

inline constexpr uint8_t kGuardByte = 0xB5;
inline constexpr uint64_t kMaxGuardBytes = uint64_t{16} << 20;

// Whether a function that replaces one of the driver applies guard zones: true in the wrapper of a
// call of the program. Other calls pass through the wrapper: calls of gpusan and of the driver,
// whose arguments have no zones, and all calls if the attach path is off.
// The function holds a ReentryGuard while it calls the driver.
inline bool GuardsApply() { return guard_internal::depth == 1; }

// An allocation with guard zones: `front` bytes, the `bytes` of the program, `back` bytes.
struct GuardedBlock {
  uintptr_t key = 0;   // handle or address, as the program has it
  uintptr_t base = 0;  // handle or address of the whole, as the driver has it
  uint64_t front = 0, bytes = 0, back = 0;
  uint64_t front_zone = 0;  // the bytes directly in front that are checked; the rest is alignment
  uintptr_t context = 0;    // in which the whole was made
  uint32_t kind = 0;        // for the hooks
  uint64_t flags = 0;       // for the hooks
  // For the findings. Set by GuardTable::Describe, once the shadow state of the block exists.
  std::string text;
  const CallInfo* creator = nullptr;
  SiteId created = kUnknownSite;
  WeakRef<Resource> resource;
  // The queue with the last launch that has the block as an argument and was not checked; 0: none.
  uintptr_t dirty_on = 0;
  // Number of the newest launch when the zones were last known to be intact.
  uint64_t checked = 0;
  uint64_t seen = 0;  // for the hooks
};

// The changed bytes of one zone.
struct GuardChange {
  uint64_t changed = 0;                // bytes; 0: intact
  uint64_t nearest = 0, farthest = 0;  // unchanged bytes between them and the allocation
  std::string values;                  // of the nearest changed bytes
};

// Compares a zone with kGuardByte. Thread-safe.
GuardChange FindChange(const uint8_t* zone, uint64_t bytes, bool front);

// A launch that may have changed a zone.
struct GuardLaunch {
  struct Use {
    uintptr_t key = 0;
    bool writes = false;
  };
  uint64_t number = 0;
  std::string text, name;
  const CallInfo* call = nullptr;  // static storage duration
  SiteId site = kUnknownSite;
  absl::InlinedVector<Use, 8> uses;
};

// The guarded blocks of one API. Thread-safe.
class GuardTable {
 public:
  void Add(GuardedBlock&& block);
  // Copies the block with the key to `*block`. Returns false if there is none.
  bool Find(uintptr_t key, GuardedBlock* block);
  // As Find, and removes the block.
  bool Take(uintptr_t key, GuardedBlock* block);
  // Copies the block that contains the address to `*block`: in the program's part if `own`, else
  // also in a zone. Returns false if there is none.
  bool FindAround(uintptr_t address, bool own, GuardedBlock* block);
  // Adds a block again that Take removed.
  void Restore(GuardedBlock&& block) { Add(std::move(block)); }

  // Sets the texts of findings about the block of the resource. Counts the resource as unguarded if
  // it has no block.
  void Describe(const Resource& resource, const Vocabulary& words);
  // Returns the number of unguarded resources.
  uint64_t unguarded();

  // Stores the launch, and marks its blocks for the next check of `queue`.
  void NoteLaunch(GuardLaunch&& launch, uintptr_t queue);
  // Removes the marks of at most `most` blocks of `queue` (0: of all queues) and returns the
  // blocks.
  std::vector<GuardedBlock> TakeDirty(uintptr_t queue, size_t most);
  // Returns all blocks.
  std::vector<GuardedBlock> All();
  // Visits the next `looked` blocks after the key `*cursor`, from the last one back to the first,
  // and advances the cursor. Returns at most `most` blocks for which `wanted` returns true.
  // `wanted` may change the block, and must not call the table.
  std::vector<GuardedBlock> TakeSome(uintptr_t* cursor, size_t looked, size_t most,
                                     bool (*wanted)(GuardedBlock& block));
  // Removes the blocks for which `gone` returns true. `gone` must not call the table.
  void Drop(bool (*gone)(const GuardedBlock& block));
  // Records that the zones of the block are intact now. `newest`: the number of the newest launch,
  // if the hooks number the launches themselves.
  void NoteIntact(uintptr_t key, uint64_t newest = 0);

  // Adds a finding about a changed zone of the block to `call`. `when` continues "found". The
  // second form names the launches of `suspects`, newest first, instead of those of NoteLaunch.
  void Report(const GuardedBlock& block, bool front, const GuardChange& change, const char* when,
              Call& call);
  static void Report(const GuardedBlock& block, bool front, const GuardChange& change,
                     const char* when, std::vector<rules::GuardSuspect>&& suspects, Call& call);

 private:
  std::mutex mutex_;
  std::map<uintptr_t, GuardedBlock> blocks_;
  std::deque<GuardLaunch> launches_;  // the newest ones
  uint64_t launch_count_ = 0;
  uint64_t unguarded_ = 0;
};

// Returns the launch of `kernel` with its current arguments, without site.
GuardLaunch DescribeLaunch(const Kernel& kernel);

// Returns the call site of the program's call, for a function that gpusan's wrapper calls in place
// of the driver's. Both addresses are those of that function (__builtin_return_address(0),
// __builtin_frame_address(0)).
SiteId SiteAboveWrapper(const void* return_address, const void* frame_address);

}  // namespace gpusan
