// The devices of a context.
#pragma once

#include "absl/container/inlined_vector.h"
#include "hooks/opencl/call/call.h"
#include "tracker/objects/object.h"

namespace gpusan::opencl {

// Keeps the list with which a new context was created. Drivers may return other devices for it:
// PoCL returns the root device of a sub-device.
void KeepDevices(PlainObject& context, cl_uint count, const cl_device_id* devices);

// Returns the devices of the context: the list that KeepDevices kept, or else the answer of the
// driver. Returns an empty list if `context` is nullptr or the query fails. Do not call it on a hot
// path.
absl::InlinedVector<cl_device_id, 8> DevicesOf(const ClCall& call, const Object* context);

}  // namespace gpusan::opencl
