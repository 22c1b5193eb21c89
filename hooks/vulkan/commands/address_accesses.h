// Accesses of compute, vertex and fragment shaders to buffers whose addresses are push constants.
#pragma once

#include "hooks/vulkan/recorder/recorder.h"
#include "tracker/calls/launch_uses.h"

namespace gpusan::vulkan {

// Records the accesses of a dispatch by the addresses in its push constants, where the bytes are
// known, and reports accesses past the end of a buffer. Precondition: the inputs of the dispatch
// are recorded (CommandBufferState::inputs), and the bound compute pipeline has ranges.
void RecordAddressUses(Recorder& recorder);
// What decides which vertices and instances a draw has.
enum class DrawnBy : uint8_t {
  kArguments,
  kIndices,     // of the vertices, beside the arguments
  kParameters,  // in a buffer. There may be none
};
// The same for a draw. `shape` has the vertices, or the indices, in the first dimension and the
// instances in the second one; the vertices begin at the first one or at that of index 0. `shape`
// is not read with kParameters. Accesses that may not happen are recorded as possible. Does nothing
// if no graphics pipeline is bound.
void RecordAddressUses(Recorder& recorder, DrawnBy drawn, LaunchShape shape);

}  // namespace gpusan::vulkan
