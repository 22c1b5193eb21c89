// Copies that the CUDA runtime rejects before it calls the driver.
#pragma once

#include <cstddef>
#include <cstdint>

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

// A copy between memory and a variable of a module, as in cudaMemcpyToSymbol, of which the runtime
// checks the bounds itself. `offset` and `bytes` are in bytes of the variable.
struct RuntimeVariableCopy {
  const void* variable;  // its address on the device
  const void* memory;
  uint64_t bytes, offset;
  bool write;  // writes the variable
};

// Adds the finding for a copy that was rejected because it passes the end of the variable; after
// the real call. Does nothing if gpusan does not know the variable. Thread-safe.
void ExplainRejection(const CallInfo& info, const RuntimeVariableCopy& copy,
                      const void* return_address, const void* frame_address);

// Adds the finding for a copy that will be rejected; before the real call. Thread-safe.
void ExplainRejection(const CallInfo& info, const RuntimeRectangle& copy,
                      const void* return_address, const void* frame_address);

}  // namespace gpusan::cuda
