// Samples of the memory ledger at equal distances and on demand, from a thread of gpusan's own.
#pragma once

#include <cstdint>

namespace gpusan {

// Calls `sample` now and every `interval_ms` (0: never by itself) and, with `on_signal`, at each
// SIGUSR2 until the process ends, in a thread that takes none of the program's signals and whose
// own calls are not watched. Once a process; the child of a fork has none until it asks again. Says
// on stderr when there can be no thread, or no signal.
//
// The signal is the program's: a disposition of its own, SIG_IGN included, stays and takes the
// samples' place, and so does one that it sets later; where it blocks the signal it stays blocked.
// Only the default action, to die, gives way. The handler restarts calls that can be restarted.
void StartSampler(int64_t interval_ms, bool on_signal, void (*sample)());

// In the child of a fork: SIGUSR2 does what it did before the sampler. Async-signal-safe.
void ForgetSampler();

}  // namespace gpusan
