// Handlers of the process for faults.
#pragma once

namespace gpusan {

// Returns whether a handler of SIGSEGV may return, so that the access is repeated. It need not get
// the address to map memory at an address that it knows, or to change the rights there.
// Thread-safe.
bool MayRepeatAccesses();

}  // namespace gpusan
