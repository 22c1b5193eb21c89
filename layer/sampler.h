// Samples of the memory ledger at equal distances, from a thread of gpusan's own.
#pragma once

#include <cstdint>

namespace gpusan {

// Calls `sample` now and every `interval_ms` until the process ends, in a thread that takes none of
// the program's signals and whose own calls are not watched. Once a process; the child of a fork
// has none until it asks again. Says on stderr when there can be no thread.
void StartSampler(int64_t interval_ms, void (*sample)());

}  // namespace gpusan
