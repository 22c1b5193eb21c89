// The option protect_maps: pages of mappings that submitted work uses are guarded (page_guard.h),
// so that an access of the host is seen at its instruction.
//
// Guarded is what the work certainly uses, and what its shaders may write, where that is known to
// be complete later by a wait; behind the wait, what the host cannot see yet for want of a barrier
// or an invalidation stays guarded against reads. Only whole pages are, and only on devices whose
// driver does not use the program's mapping itself, as CPU drivers do.
#pragma once

#include <atomic>

#include "hooks/vulkan/objects/device_writes.h"
#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

struct Device;

namespace map_guards_internal {
extern std::atomic<bool> on;
}
inline bool GuardsMaps() { return map_guards_internal::on.load(std::memory_order_relaxed); }
void GuardMaps();

// The functions below do nothing where nothing is guarded.

// The mapped memory is used by what is submitted. Its state is locked.
void GuardUseNow(VkCall& call, Resource& memory, const MemoryState& state, const DeviceUse& use);
inline void GuardUse(VkCall& call, Resource& memory, const MemoryState& state,
                     const DeviceUse& use) {
  if (GuardsMaps()) [[unlikely]]
    GuardUseNow(call, memory, state, use);
}
// A barrier made these bytes of the memory visible to the host, or an invalidation.
void NoteGuardedBarrier(const Resource& memory, uint64_t begin, uint64_t end);
void NoteGuardedInvalidation(const Resource& memory, uint64_t begin, uint64_t end);
// The mapping goes. Its state is not locked.
void DropGuards(VkCall& call, const MemoryState& state);
// Whatever the host may have learnt to be complete is not guarded as pending any more; tells what
// was noticed so far. No lock is held.
void SettleGuardsNow(VkCall& call);
inline void SettleGuards(VkCall& call) {
  if (GuardsMaps()) [[unlikely]]
    SettleGuardsNow(call);
}
// Tells what was noticed: when the process ends.
void TellGuardedNow(Tracker& tracker);
inline void TellGuarded(Tracker& tracker) {
  if (GuardsMaps()) [[unlikely]]
    TellGuardedNow(tracker);
}

}  // namespace gpusan::vulkan
