// The option protect_maps: protects the mapped pages that submitted work uses (page_guard.h), so
// that an access of the host is seen at its instruction.
//
// Protected are bytes that the work certainly accesses, and bytes that its shaders may write, until
// a wait shows that the work is complete. After the wait, writes that the host cannot see yet, for
// lack of a barrier or an invalidation, stay protected against reads. Protected are the whole pages
// of an access, or its bytes if it has no whole page, such as a uniform buffer. Only devices are
// covered whose driver does not access the program's mapping itself, as CPU drivers do.
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

// The functions below do nothing unless GuardMaps was called.

// Protects the pages that an access of submitted work uses. Precondition: `state` is locked.
void GuardUseNow(VkCall& call, Resource& memory, const MemoryState& state, const DeviceUse& use);
inline void GuardUse(VkCall& call, Resource& memory, const MemoryState& state,
                     const DeviceUse& use) {
  if (GuardsMaps()) [[unlikely]]
    GuardUseNow(call, memory, state, use);
}
// A barrier or an invalidation made these bytes of the memory visible to the host.
void NoteGuardedBarrier(const Resource& memory, uint64_t begin, uint64_t end);
void NoteGuardedInvalidation(const Resource& memory, uint64_t begin, uint64_t end);
// Removes the protection of a mapping that ends. Precondition: `state` is not locked.
void DropGuards(VkCall& call, const MemoryState& state);
// Ends the protection of work that the host may know to be complete, and reports the accesses that
// were caught so far. Precondition: the caller holds no lock.
void SettleGuardsNow(VkCall& call);
inline void SettleGuards(VkCall& call) {
  if (GuardsMaps()) [[unlikely]]
    SettleGuardsNow(call);
}
// Reports the accesses that were caught. Called when the process ends.
void ReportGuardedNow(Tracker& tracker);
inline void ReportGuarded(Tracker& tracker) {
  if (GuardsMaps()) [[unlikely]]
    ReportGuardedNow(tracker);
}

}  // namespace gpusan::vulkan
