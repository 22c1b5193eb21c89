// Accesses of compute and vertex shaders to buffers whose addresses are push constants.
#pragma once

#include "hooks/vulkan/recording/command_buffers.h"
#include "tracker/calls/launch_uses.h"

namespace gpusan::vulkan {

// Records the accesses of a dispatch by the addresses in its push constants, where the bytes are
// known, and reports accesses past the end of a buffer. Precondition: the inputs of the dispatch
// are recorded (CommandBufferState::inputs), and the bound compute pipeline has ranges.
void RecordAddressUses(Recorder& recorder);
// The same for a draw without indices. `shape` has the vertices in the first dimension and the
// instances in the second one. Does nothing if no graphics pipeline is bound.
void RecordAddressUses(Recorder& recorder, LaunchShape shape);

}  // namespace gpusan::vulkan
