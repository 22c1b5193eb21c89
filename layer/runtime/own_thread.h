// Threads that gpusan starts in the program's process.
#pragma once

namespace gpusan {

// Starts `run(argument)` in a detached thread that blocks all signals and whose calls are not
// intercepted. `name` has at most 15 characters. Returns 0, or the error of pthread_create. The
// child of a fork does not have the thread.
int StartOwnThread(const char* name, void (*run)(void*), void* argument);

}  // namespace gpusan
