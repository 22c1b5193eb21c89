// Interned stacks: equal frames, equal SiteId.
//
// Thread-safe; reading takes no lock. Memory comes from the kernel and is never released.
#pragma once

#include "hooks/common/sites/site.h"

namespace gpusan {

// Returns the site of the stack; kUnknownSite if it has no frame of a loaded file, or if the table
// is full: then the stack counts as dropped.
SiteId InternSite(const SiteFrame* frames, int count, const SourceFrame* source_frames = nullptr,
                  int source_count = 0);

// Makes the table usable in the child of a fork, in which no other thread runs.
void ResetSiteTableAfterFork();

}  // namespace gpusan
