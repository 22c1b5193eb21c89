// Why an image is too large for every device of a context, asked of the devices only after a
// creation failed.
#pragma once

#include <string>

#include "hooks/opencl/call/call.h"
#include "tracker/objects/object.h"
#include "tracker/objects/resource.h"

namespace gpusan::opencl {

// "width 9000 is more than CL_DEVICE_IMAGE2D_MAX_WIDTH, 8192"; empty if some device of the context
// takes the extent, or nobody tells.
std::string TooLargeText(const ClCall& call, const Object* context, const ImageInfo& image);

}  // namespace gpusan::opencl
