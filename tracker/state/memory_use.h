// Who holds the live memory of a process: by call site and by size.
#pragma once

#include <cstddef>
#include <vector>

#include "tracker/calls/operation.h"
#include "tracker/state/objects.h"
#include "tracker/state/site_use.h"

namespace gpusan {

// All functions visit all resources without a lock. The result may lack resources that are created
// or released during the visit, or contain both a released resource and a newer one.

// Returns the live memory, with one entry per creation site and API.
std::vector<SiteUse> LiveBySite(Objects& objects);
// Returns the live objects that have no memory of their own, of the kinds of which a correct
// program creates only a few (streams, recorded events, graphs, texture objects, modules). One
// entry for each creation site and API; each object counts as kObjectWeight bytes.
std::vector<SiteUse> ObjectsBySite(Objects& objects);
// Returns the call sites that hold memory of the API, largest first, for the findings of
// out-of-memory ("3 buffers, 12 MiB, created at ...").
std::vector<MemoryHolder> HoldersOf(Objects& objects, Api api);
// Returns at most `count` live resources of the API, largest first.
std::vector<const Resource*> LargestOf(Objects& objects, Api api, size_t count);

}  // namespace gpusan
