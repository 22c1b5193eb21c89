// Handlers of the process for faults.
#pragma once

namespace gpusan {

// Returns whether a handler of SIGSEGV may map memory at the address of a fault, so that the access
// succeeds. Such a handler gets the address, and stays installed. Thread-safe.
bool HandlesFaults();

// Returns whether a handler of SIGSEGV may return, so that the access is repeated. It need not get
// the address to change the rights to memory that it knows. Thread-safe.
bool MayRepeatAccesses();

}  // namespace gpusan
