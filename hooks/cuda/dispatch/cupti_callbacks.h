// The CUPTI attach path, for processes in which symbols cannot be interposed. The driver loads this
// library because CUDA_INJECTION64_PATH names it, and calls InitializeInjection; CUPTI then calls
// back for every intercepted driver function.
//
// CUPTI is loaded by AttachCupti and is never linked. CUPTI serves one subscriber a process: while
// gpusan is subscribed, profilers that use CUPTI fail, and the reverse.
#pragma once

#include <string>

namespace gpusan::cuda {

// Subscribes to CUPTI's callbacks. Returns an empty string on success and when already subscribed;
// otherwise one line with the reason and the remedy. Thread-safe.
std::string AttachCupti();

// True once a call of the program came through preload. Thread-safe.
bool PreloadInUse();

}  // namespace gpusan::cuda
