// Interned stacks: equal frames, equal SiteId.
//
// Thread-safe; reading takes no lock. Memory comes from the kernel and is never released.
#pragma once

#include <cstdint>

#include "hooks/common/site.h"

namespace gpusan {

// Returns the site of the stack; kUnknownSite if it is empty, or if the table is full: then the
// stack counts as dropped.
SiteId InternSite(const SiteFrame* frames, int count);

void ResetSiteTableAfterFork();

}  // namespace gpusan
