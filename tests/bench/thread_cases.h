// How the rate of calls grows from one thread to two, each with its own queue, kernel and buffer.
#pragma once

#include "opencl_fixture.h"
#include "timing.h"

namespace bench {

// Cases of the group "threads": threads_set_arg, threads_buffer_pair, threads_write. A value is the
// rate of two threads over the rate of one (wall clock, calls a second), from a batch of each, one
// right after the other.
void RunThreadCases(const Fixture& fixture, const Options& options);

}  // namespace bench
