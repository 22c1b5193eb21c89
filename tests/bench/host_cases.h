// The cost of intercepted allocation and mapping calls.
#pragma once

#include "timing.h"

namespace bench {

// Cases of the group "host": malloc and free of 16 B, 2 KiB and 1 MiB, mmap and munmap of 64 KiB; a
// pair is one call.
void RunHostCases(const Options& options);

}  // namespace bench
