// Checks accesses of the host to mapped memory against accesses of the device.
//
// An access by a pointer is not intercepted. Findings follow from the content of the memory, from
// calls whose only purpose is an access (flush, invalidate, a mapping of exactly the range that the
// device wrote), or from protected pages (map_guards.h).
#pragma once

#include "hooks/vulkan/objects/device_writes.h"
#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

// Whether NoteDeviceUse has an effect for reads of the memory.
inline bool NotesReads(MemoryState& state) {
  if (!state.coherent) return true;
  std::lock_guard lock(state.lock);
  return state.ever_mapped && !state.foreign;
}
// Adds and checks an access of a submitted command to the memory. `reads_fixed`: a read of bytes
// that, at least in part, only the host can have written. `call`: the submission.
void NoteDeviceUse(VkCall& call, Resource& memory, const DeviceUse& use, bool reads_fixed);
// Adds a write to unknown bytes in [begin, end) of the memory, for example by way of an image.
void NoteUnknownWrite(VkCall& call, Resource& memory, uint64_t begin, uint64_t end, Epoch epoch);
// A buffer barrier makes the writes in [begin, end) visible to the host.
void NoteHostBarrier(Resource& memory, uint64_t begin, uint64_t end);

// Called before or after the program's real call. Precondition: the ranges lie in the mapping.
void OnMap(VkCall& call, Resource& memory);                                       // after it
void OnUnmap(VkCall& call, Resource& memory);                                     // before it
void OnFlush(VkCall& call, Resource& memory, uint64_t begin, uint64_t end);       // before it
void OnInvalidate(VkCall& call, Resource& memory, uint64_t begin, uint64_t end);  // after it

// Whether some barrier makes the write visible to the host; true if unknown. Locks each queue of
// the device. Precondition: the caller holds no lock of a queue or a memory.
bool HostSees(Device& device, const DeviceUse& use);

}  // namespace gpusan::vulkan
