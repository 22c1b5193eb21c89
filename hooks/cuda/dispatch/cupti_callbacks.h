// The CUPTI door, for processes that cannot be preloaded: the driver loads this library by
// CUDA_INJECTION64_PATH and calls InitializeInjection; CUPTI then tells of every watched call.
//
// CUPTI is loaded when the door is opened and never linked. It serves one subscriber a process:
// while gpusan has it, profilers that need it do not work, and the reverse.
#pragma once

#include <string>

namespace gpusan::cuda {

// Subscribes. Returns an empty string, or one line that says why it could not be done and what
// helps. A second call does nothing. Thread-safe.
std::string OpenCuptiDoor();

// The preload door is in use: the driver was looked up through it.
bool PreloadDoorInUse();

}  // namespace gpusan::cuda
