// PyTorch's caching allocator: its blocks as resources, with the option torch_blocks.
#pragma once

#include "tracker/tracker.h"

namespace gpusan {

// Warns when the process ends, with the option on, if PyTorch was loaded, device memory was
// allocated, and PyTorch reported no block.
void WarnAboutTorch(Tracker& tracker);

}  // namespace gpusan
