// The copies of the CUDA runtime in the process: libcudart, and files that contain the static
// runtime.
//
// If no context is current, the runtime makes some calls of the driver (cuMemAllocAsync) before it
// makes the primary context current, and repeats them. The program does not see their failures.
#pragma once

namespace gpusan::cuda {

// Notes that a CUDA runtime contains the address. Keeps the files of the first 16 runtimes.
// Thread-safe.
void NoteRuntime(const void* address);

// Returns whether the file that contains the address also contains a CUDA runtime. Thread-safe.
bool IsInRuntime(const void* address);

}  // namespace gpusan::cuda
