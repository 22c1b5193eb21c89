// Samples of the memory ledger, at regular intervals and on demand, from a thread of gpusan.
#pragma once

#include <cstdint>

namespace gpusan {

// Starts a thread that calls `sample` until the process ends: at once, every `interval_ms` [ms] (0:
// no interval) and, with `on_signal`, at each SIGUSR2. Signals that arrive during a sample cause
// one further sample. The thread blocks all signals, and its calls are not intercepted. Call it at
// most once per process; the child of a fork has no sampler until it calls StartSampler itself.
// Prints a message to stderr if the thread cannot be created or the signal is in use.
//
// The program owns SIGUSR2. If the program has a disposition of its own, which includes SIG_IGN,
// that disposition stays and the signal takes no samples. A disposition that the program sets later
// replaces the handler. A blocked signal stays blocked. The handler replaces only the default
// action, which ends the process. It restarts system calls that can be restarted (SA_RESTART).
void StartSampler(int64_t interval_ms, bool on_signal, void (*sample)());

// Restores the default action of SIGUSR2 if the sampler's handler is installed. Call it in the
// child of a fork. Async-signal-safe.
void ForgetSampler();

}  // namespace gpusan
