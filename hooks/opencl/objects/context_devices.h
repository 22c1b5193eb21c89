// The devices of a context. Calls the driver: use it off the hot path only.
#pragma once

#include "absl/container/inlined_vector.h"
#include "hooks/opencl/call/call.h"
#include "tracker/objects/object.h"

namespace gpusan::opencl {

// Returns the devices of the context; empty if `context` is nullptr or the query fails.
absl::InlinedVector<cl_device_id, 8> DevicesOf(const ClCall& call, const Object* context);

}  // namespace gpusan::opencl
