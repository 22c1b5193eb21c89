// Who holds the live memory of a process: by call site and by size.
#pragma once

#include <cstddef>
#include <vector>

#include "tracker/calls/operation.h"
#include "tracker/state/objects.h"
#include "tracker/state/site_use.h"

namespace gpusan {

// All functions visit all resources without a lock: those that are created or released meanwhile
// may be missing, and one may be counted beside another that was created after its release.

// Returns the live memory, with one entry per creation site and API.
std::vector<SiteUse> LiveBySite(Objects& objects);
// Returns the live objects without memory of their own of the kinds that programs create in numbers
// only by mistake (streams, recorded events, graphs, texture objects, modules), with one entry per
// creation site and API; kObjectWeight bytes for each.
std::vector<SiteUse> ObjectsBySite(Objects& objects);
// Returns the call sites that hold memory of the API, largest first, for the findings of
// out-of-memory ("3 buffers, 12 MiB, created at ...").
std::vector<MemoryHolder> HoldersOf(Objects& objects, Api api);
// Returns at most `count` live resources of the API, largest first.
std::vector<const Resource*> LargestOf(Objects& objects, Api api, size_t count);

}  // namespace gpusan
