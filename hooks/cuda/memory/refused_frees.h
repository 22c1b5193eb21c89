// Memory whose free a stream capture made the driver refuse. The refusal is reported, so the memory
// is not leaked if nothing frees it again. Thread-safe.
#pragma once

#include <cuda.h>

#include <atomic>

#include "tracker/objects/resource.h"

namespace gpusan::cuda {

namespace refused_frees_internal {
extern std::atomic<bool> any;
void Note(Resource* resource);
void Forget(Resource* resource);
}  // namespace refused_frees_internal

// The free of the live resource returned `code`. Reports no leak of the resource from now on if a
// capture is the reason.
inline void NoteRefusedFree(Resource* resource, CUresult code) {
  if (code == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED) refused_frees_internal::Note(resource);
}

// Call it before the resource is released: the program frees it again.
inline void FreesAgain(Resource* resource) {
  if (refused_frees_internal::any.load(std::memory_order_relaxed)) [[unlikely]]
    refused_frees_internal::Forget(resource);
}

}  // namespace gpusan::cuda
