// The address ranges that the program has reserved without access rights (mmap with PROT_NONE).
// They are no host blocks. mprotect turns parts of them into blocks. Thread-safe. Internal to
// hooks/host.
#pragma once

#include <cstddef>

#include "hooks/host/host_hooks.h"

namespace gpusan::host_hooks {

// Notes that the program has reserved the range.
void NoteReserved(void* memory, size_t bytes, Caller caller);

// Notes that the range is unmapped or mapped again. Costs one load if the program has no
// reservations.
void ForgetReserved(void* memory, size_t bytes);

// Notes that the program has made the range accessible. Records the reserved parts of the range as
// mappings, from the start of the range to the first gap. Costs one load if the program has no
// reservations.
void NoteAccessible(void* memory, size_t bytes, Caller caller);

// Forgets all reservations. For the child of a fork.
void ResetReservationsAfterFork();

}  // namespace gpusan::host_hooks
