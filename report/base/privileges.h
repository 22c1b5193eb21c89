// Whether the process has more rights than the user who started it.
#pragma once

namespace gpusan {

// True in a set-user-id or set-group-id process, and in a process whose executable raises its
// capabilities (AT_SECURE of getauxval). The user who started such a process chooses its
// environment and its current folder, but must not decide what the process reads or writes.
// Therefore gpusan reads no option, no settings file and no environment variable there, writes
// nothing, and passes every call through. Constant for the life of the process image.
// Async-signal-safe, thread-safe.
bool RunsWithRaisedPrivileges();

}  // namespace gpusan
