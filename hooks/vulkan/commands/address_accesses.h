// Accesses of compute and vertex shaders to buffers whose addresses are push constants.
#pragma once

#include "hooks/vulkan/recording/command_buffers.h"
#include "tracker/calls/launch_uses.h"

namespace gpusan::vulkan {

// Records what a dispatch accesses by the addresses in its push constants, as far as the bytes are
// known, and reports accesses behind the end of a buffer. Precondition: the inputs of the dispatch
// are recorded (CommandBufferState::inputs), and a compute pipeline is bound that has ranges.
void RecordAddressUses(Recorder& recorder);
// The same for a draw of vertices and instances that are not indexed. `shape`: both, as work items
// of two dimensions. Precondition: a graphics pipeline is bound, or there is none.
void RecordAddressUses(Recorder& recorder, LaunchShape shape);

}  // namespace gpusan::vulkan
