// The address ranges that the program has reserved without access rights (mmap with PROT_NONE).
// They are no host blocks. mprotect turns parts of them into blocks. Thread-safe. Internal to
// hooks/host.
#pragma once

#include <cstddef>

#include "hooks/host/host_hooks.h"

namespace gpusan::host_hooks {

// The program has reserved the range.
void NoteReserved(void* memory, size_t bytes, Caller caller);

// The range is unmapped or mapped again. Costs one load if the program has no reservations.
void ForgetReserved(void* memory, size_t bytes);

// The program has got access rights to the range. Records those parts as mappings that are
// reserved, as far as they adjoin each other from the begin of the range on. Costs one load if the
// program has no reservations.
void NoteAccessible(void* memory, size_t bytes, Caller caller);

// Forgets all reservations. For the child of a fork.
void ResetReservationsAfterFork();

}  // namespace gpusan::host_hooks
