// The device limit that an image or a buffer exceeds. Calls the driver: use it only for creations
// that failed.
#pragma once

#include <string>

#include "hooks/opencl/call/call.h"
#include "tracker/objects/object.h"
#include "tracker/objects/resource.h"

namespace gpusan::opencl {

// Returns "width 9000 is more than CL_DEVICE_IMAGE2D_MAX_WIDTH, 8192" for an image that is too
// large for every device of the context. Empty if one of them supports the extent, or if a query
// fails.
std::string TooLargeText(const ClCall& call, const Object* context, const ImageInfo& image);
// The same for a buffer of `bytes`.
std::string TooLargeText(const ClCall& call, const Object* context, uint64_t bytes);

}  // namespace gpusan::opencl
