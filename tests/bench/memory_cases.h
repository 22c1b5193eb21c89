// What a process's resident set grows by: bytes a live buffer, and growth over long runs that end
// as they began.
#pragma once

#include "opencl_fixture.h"
#include "timing.h"

namespace bench {

// Cases of the group "memory": live_bytes (B a live buffer at options.live of them), growth_buffers
// and growth_events (B over options.cycles cycles, after a warm-up of a tenth). One case a process
// gives clean figures.
void RunMemoryCases(const Fixture& fixture, const Options& options);

}  // namespace bench
