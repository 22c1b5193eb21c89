// Copies that the CUDA runtime rejects before it calls the driver.
#pragma once

#include <cstddef>

#include "tracker/calls/operation.h"

namespace gpusan::cuda {

// A copy of a rectangle between linear memory, as in cudaMemcpy2D. Pitches and width in bytes.
struct RuntimeRectangle {
  const void* destination;
  size_t destination_pitch;
  const void* source;
  size_t source_pitch;
  size_t width, height;
  bool rejected() const {
    return height != 0 && (destination_pitch < width || source_pitch < width);
  }
};

// Adds the finding for a copy that will be rejected; before the real call. Thread-safe.
void ExplainRejection(const CallInfo& info, const RuntimeRectangle& copy,
                      const void* return_address, const void* frame_address);

}  // namespace gpusan::cuda
