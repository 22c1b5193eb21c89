// The devices of a context.
#pragma once

#include "absl/container/inlined_vector.h"
#include "hooks/opencl/call/call.h"
#include "tracker/objects/object.h"

namespace gpusan::opencl {

// Keeps the list with which a new context was created. Drivers may return other devices for it:
// PoCL returns the root device of a sub-device.
void KeepDevices(PlainObject& context, cl_uint count, const cl_device_id* devices);

// Returns the devices of the context: those of the program's list, if it is known. Otherwise calls
// the driver: use it off the hot path only. Empty if `context` is nullptr or the query fails.
absl::InlinedVector<cl_device_id, 8> DevicesOf(const ClCall& call, const Object* context);

}  // namespace gpusan::opencl
