// Handlers of the process for faults.
#pragma once

namespace gpusan {

// Returns whether an access to memory without access rights may succeed, because a handler of
// SIGSEGV may change the memory at the fault. Such a handler gets the address, and stays installed.
// Thread-safe.
bool HandlesFaults();

}  // namespace gpusan
