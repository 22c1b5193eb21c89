// Threads of gpusan's own in the program's process.
#pragma once

namespace gpusan {

// Starts `run(argument)` in a detached thread that takes none of the program's signals and whose
// own calls are not watched. `name`: at most 15 characters. Returns 0, or the errno of
// pthread_create. The child of a fork has no such thread.
int StartOwnThread(const char* name, void (*run)(void*), void* argument);

}  // namespace gpusan
