// What the CUDA runtime refuses by itself, so that the driver never hears of it.
#pragma once

#include <cstddef>

#include "tracker/calls/operation.h"

namespace gpusan::cuda {

// A copy of a rectangle between linear memory, as cudaMemcpy2D takes it. Pitches and width in
// bytes.
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

// Before the real call, of one that will be refused: adds the finding.
void ExplainRejection(const CallInfo& info, const RuntimeRectangle& copy,
                      const void* return_address, const void* frame_address);

}  // namespace gpusan::cuda
