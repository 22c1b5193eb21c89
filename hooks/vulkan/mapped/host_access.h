// What the host does to mapped memory, judged against what the device did and does there.
//
// Accesses by a pointer cannot be seen: what is told follows from the content of the memory, from
// the calls that are made for the sake of an access alone (flush, invalidate, a mapping of nothing
// but what the device wrote), or from pages that are protected (map_guards.h).
#pragma once

#include "hooks/vulkan/objects/device_writes.h"
#include "hooks/vulkan/objects/resources.h"

namespace gpusan::vulkan {

// A command that is submitted uses the memory. `reads_fixed`: a read whose bytes the host alone
// could have supplied, in part at least. The call is the submission.
void NoteDeviceUse(VkCall& call, Resource& memory, const DeviceUse& use, bool reads_fixed);
// Something is written that is bound to these bytes of the memory, an image for one: where in them
// nobody knows.
void NoteUnknownWrite(VkCall& call, Resource& memory, uint64_t begin, uint64_t end, Epoch epoch);
// A barrier of the buffer makes what was written there visible to the host.
void NoteHostBarrier(Resource& memory, uint64_t begin, uint64_t end);

// Around the calls of the program; the ranges lie in the mapping.
void OnMap(VkCall& call, Resource& memory);                                       // after it
void OnUnmap(VkCall& call, Resource& memory);                                     // before it
void OnFlush(VkCall& call, Resource& memory, uint64_t begin, uint64_t end);       // before it
void OnInvalidate(VkCall& call, Resource& memory, uint64_t begin, uint64_t end);  // after it

// What the use wrote is visible to the host by some barrier, or nobody can tell. No lock of a
// memory is held.
bool HostSees(Device& device, const DeviceUse& use);

}  // namespace gpusan::vulkan
