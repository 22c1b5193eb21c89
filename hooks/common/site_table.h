// Interned stacks: equal frames, equal SiteId.
//
// Thread-safe; reading takes no lock. Memory comes from the kernel and is never given back.
#pragma once

#include <cstdint>

#include "hooks/common/site.h"

namespace gpusan {

// The number of the stack; kUnknownSite when it is empty or the table is full (then counted as
// dropped).
SiteId InternSite(const SiteFrame* frames, int count);

void ResetSiteTableAfterFork();

}  // namespace gpusan
